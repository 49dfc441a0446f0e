/** Matches an API key of this service, a JWT, and the private key of a Sui wallet; not `stake_0x…` with an id of a chain. */
const SECRETS =
  /[a-z][a-z0-9]{1,7}_(?!0x[0-9a-fA-F]{44})[0-9A-Za-z]{46}|\beyJ[\w-]+\.[\w-]+\.[\w-]+|\bsuiprivkey1[0-9a-z]+/

/** Whether a text contains a secret, so that others must not see it. */
export const hasSecret = (text: string): boolean => SECRETS.test(text)
