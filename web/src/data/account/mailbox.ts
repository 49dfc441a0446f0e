/** Whether an owner can get mails: a wallet has no mail address. */
export const hasMailbox = (owner: string): boolean => owner.includes('@')
