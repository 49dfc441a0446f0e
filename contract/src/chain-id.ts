import { z } from 'zod'

/** Ids of objects and addresses on the chain: one canonical form inside, any usual spelling from callers. */

const CANONICAL = /^0x[0-9a-f]{64}$/
const SPELLED = /^0[xX][0-9a-fA-F]{1,64}$/
/** The refusal of an id in a wrong form. */
export const CHAIN_ID_FORM = 'must be a chain id: 0x and 1 to 64 hex digits'
const EXAMPLE = `0x${'3f'.repeat(32)}`

/** An id as the service sends it. */
export const ChainId = z
  .string()
  .regex(CANONICAL)
  .meta({
    description: 'Id of an object or address on the chain: 0x and 64 hex digits.',
    examples: [EXAMPLE],
  })

/**
 * An id as callers send it, in any usual spelling. Parsing makes it canonical, so two spellings never count as two
 * ids.
 */
export const ChainIdInput = z
  .string({ error: CHAIN_ID_FORM })
  .regex(SPELLED, { error: CHAIN_ID_FORM })
  .overwrite(toCanonical)
  .meta({
    description: 'Id on the chain: 0x and hex digits, in any case, leading zeros optional.',
    examples: [EXAMPLE],
  })

/** An id from an earlier answer. MCP abbreviates ids in answers and restores them before the endpoint sees them. */
export const ShownId = z.string().max(66).overwrite(toCanonical)

/** Comma-separated ids of a query, each once. The error names the position of the first invalid item. */
export const chainIdList = (most: number) =>
  z.string().transform((text, context): string[] => {
    const items = text.split(',').map((item) => item.trim())
    const wrong = items.findIndex((item) => item !== '' && !SPELLED.test(item))
    if (wrong >= 0)
      context.issues.push({ code: 'custom', input: text, path: [wrong], message: CHAIN_ID_FORM })
    const ids = [...new Set(items.filter((item) => item !== '').map(toCanonical))]
    const problem = ids.length === 0 ? 'must name at least one id, or be left out' : tooMany(ids, most)
    if (problem) context.issues.push({ code: 'custom', input: text, message: problem })
    return ids
  })

const tooMany = (ids: readonly string[], most: number): string | undefined =>
  ids.length > most ? `must name at most ${most} ids` : undefined

/** Returns an invalid id unchanged: the check before has already refused it. */
function toCanonical(text: string): string {
  return SPELLED.test(text) ? `0x${text.slice(2).toLowerCase().padStart(64, '0')}` : text
}
