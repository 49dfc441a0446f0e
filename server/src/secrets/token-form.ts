/** The three parts of a signed token (a JWT in its compact form): header, claims, signature. */
export const TOKEN_FORM = /^([\w-]+)\.([\w-]+)\.([\w-]+)$/
