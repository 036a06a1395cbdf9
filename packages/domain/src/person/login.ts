/**
 * The login of a person or of a bot, as the source of a pattern. GitHub allows letters, digits and `-`, `_` before the short name of a
 * company, and `[bot]` behind the name of an App. An address is none.
 */
export const LOGIN_SOURCE = String.raw`[\w-]{1,100}(?:\[bot\])?`;

/** Matches a login, and nothing besides. */
export const LOGIN = new RegExp(`^${LOGIN_SOURCE}$`);

/** An operator in settings: a login, with the id of its account like `olga#1234567` or without. */
export const OPERATOR = new RegExp(String.raw`^${LOGIN_SOURCE}(?:#[1-9]\d{0,14})?$`);
