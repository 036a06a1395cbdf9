/**
 * Programs that come without a token say here what they are, like `nereid/1.0.0`. No page of another site can send it: a console that
 * belongs to the person on its machine tells programs from such pages by it.
 */
export const CLIENT_HEADER = 'x-nereid-client';
