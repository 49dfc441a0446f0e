/** An API key of this service, a token of a session, and the private key of a wallet. */
const SECRETS = /\b[a-z][a-z0-9]{1,7}_[0-9A-Za-z]{46}\b|\beyJ[\w-]+\.[\w-]+\.[\w-]+|\bsuiprivkey1[0-9a-z]+/

/** Whether a text that others get to see has a secret in it. */
export const hasSecret = (text: string): boolean => SECRETS.test(text)
