import type { Agent } from '../account/agents.ts'
import { RULES } from '../words/api-words.ts'

/** Further rules are counted instead of named. */
const MAX_NAMED = 2

type PolicyWords = { readonly short: string; readonly whole: string }

/** The topics of a policy's rules. `paused` is shown as the agent's state instead. */
export function policyWords(policy: Agent['policy']): PolicyWords {
  if (policy === null) return { short: 'none', whole: 'No policy: it may build whatever the chain accepts.' }
  const rules = policy.rules.filter((rule) => rule !== 'paused' && rule !== 'actions')
  // Listed last, because every policy that allows anything has it.
  const last = policy.rules.filter((rule) => rule === 'actions')
  const names = [...rules, ...last].map((rule) => RULES[rule])
  if (names.length === 0) return { short: 'allows nothing', whole: 'Its policy allows no transaction.' }
  if (rules.length === 0)
    return {
      short: 'lists actions',
      whole: 'Its policy lists the actions that it may build, and limits nothing else.',
    }
  const shown = names.length > MAX_NAMED + 1 ? names.slice(0, MAX_NAMED) : names
  const more = names.length - shown.length
  return {
    short: `limits ${shown.join(', ')}${more > 0 ? ` and ${more} more` : ''}`,
    whole: `Its policy limits: ${names.join(', ')}.`,
  }
}
