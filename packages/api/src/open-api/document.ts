/** The part of an OpenAPI 3.2 document that describes our API. */
export interface OpenApi {
  readonly openapi: '3.2.0';
  readonly info: {
    readonly title: string;
    readonly version: string;
    readonly description: string;
  };
  readonly servers: readonly { readonly url: string }[];
  readonly paths: Readonly<Record<string, PathItem>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, JsonSchema>>;
  };
}

/** JSON Schema 2020-12. */
export type JsonSchema = Readonly<Record<string, unknown>>;

/** By method. */
export interface PathItem {
  readonly get?: DescribedOperation;
  readonly post?: DescribedOperation;
}

export interface DescribedOperation {
  readonly operationId: string;
  readonly summary: string;
  readonly description?: string;
  readonly parameters: readonly Parameter[];
  readonly requestBody?: { readonly required: boolean } & Pick<DescribedAnswer, 'content'>;
  /** By status. */
  readonly responses: Readonly<Record<string, DescribedAnswer>>;
}

export interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required?: boolean;
  readonly description?: string;
  readonly schema: JsonSchema;
}

export interface DescribedAnswer {
  readonly description: string;
  /** Schemas by type of content: of the whole, or of each event of a stream. */
  readonly content: Readonly<Record<string, { readonly schema: JsonSchema } | { readonly itemSchema: JsonSchema }>>;
}
