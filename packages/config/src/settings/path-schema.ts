/** Paths of the machine, as the server's file writes them. */
import { text } from '../yaml/schema.ts';

export const ABSOLUTE_PATH = /^(?!.*\/\.\.(\/|$))\/[^/\0][^\0]*$/;

export const SECRET_FILE = text('the absolute path of a file, without ".."', ABSOLUTE_PATH);
