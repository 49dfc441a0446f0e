import type { Agent } from '#ports/stores/agents.ts'

/**
 * Words and spaces: nothing that a mail program would make a link of, that HTML would interpret, or that a mail would
 * have to encode. Whoever registers an agent for a mailbox chooses its name.
 */
const HARMLESS = /^[A-Za-z0-9](?:[A-Za-z0-9 _-]{0,38}[A-Za-z0-9])?$/
const LIKE_A_PHONE_NUMBER = /\d(?:[ _-]*\d){5}/

/** An agent in a mail: by its id, and by its name if that is harmless. */
export const namedAgent = ({ id, name }: Pick<Agent, 'id' | 'name'>): string =>
  HARMLESS.test(name) && !LIKE_A_PHONE_NUMBER.test(name) ? `"${name}" (${id})` : id
