/** Whether mails about its agents reach an owner: a wallet has no address that they could go to. */
export const hasMailbox = (owner: string): boolean => owner.includes('@')
