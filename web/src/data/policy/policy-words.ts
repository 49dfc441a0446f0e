import type { Agent } from '../account/agents.ts'
import { RULES } from '../words/api-words.ts'

/** More are counted instead of named. */
const MOST_NAMED = 2

export type PolicyWords = { readonly short: string; readonly whole: string }

/** What an agent is held to, by what its rules are about. That it is paused is told as its state. */
export function policyWords(policy: Agent['policy']): PolicyWords {
  if (policy === null) return { short: 'none', whole: 'No policy: it may build whatever the chain accepts.' }
  const rules = policy.rules.filter((rule) => rule !== 'paused' && rule !== 'actions')
  // Every policy that allows anything has a rule about actions: it says least.
  const last = policy.rules.filter((rule) => rule === 'actions')
  const names = [...rules, ...last].map((rule) => RULES[rule])
  if (names.length === 0) return { short: 'allows nothing', whole: 'Its policy allows no transaction.' }
  const shown = names.length > MOST_NAMED + 1 ? names.slice(0, MOST_NAMED) : names
  const more = names.length - shown.length
  return {
    short: `limits ${shown.join(', ')}${more > 0 ? ` and ${more} more` : ''}`,
    whole: `Its policy limits: ${names.join(', ')}.`,
  }
}
