/** One reason why GitHub would refuse: the field, and the expectation that it breaks. */
export interface Problem {
  readonly field: string;
  readonly message: string;
}
