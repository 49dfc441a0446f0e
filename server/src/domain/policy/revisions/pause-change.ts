import type { PauseChange } from '#ports/stores/agent-actions.ts'
import type { PolicyDocument, PolicyRule } from '#ports/stores/policies.ts'
import { STAKING_ACTIONS } from '../../../basics/staking-actions.ts'
import { canonicalJson } from '../../canonical-json.ts'

/** The implicit policy of an agent without one. */
const EVERYTHING: PolicyDocument = {
  rules: [{ rule: 'actions', allow: [...STAKING_ACTIONS] }],
  loosenAfterSeconds: 0,
}

/** Whether a change only pauses or resumes an agent; undefined: it changes something else. */
export function pauseChange(
  before: PolicyDocument | undefined,
  after: PolicyDocument,
): PauseChange | undefined {
  const [was, is] = [before ?? EVERYTHING, after].map((document) => ({
    isPaused: document.rules.some(({ rule }) => rule === 'paused'),
    rest: meaningOf({ ...document, rules: document.rules.filter(({ rule }) => rule !== 'paused') }),
  }))
  if (!was || !is || was.rest !== is.rest || was.isPaused === is.isPaused) return undefined
  return is.isPaused ? 'paused' : 'resumed'
}

/** Equal for policies that mean the same: rules and their lists are sets, and a moment has several forms. */
const meaningOf = ({ rules, loosenAfterSeconds }: PolicyDocument): string =>
  canonicalJson({ rules: rules.map(ruleMeaning).toSorted(), loosenAfterSeconds })

const ruleMeaning = (rule: PolicyRule): string =>
  rule.rule === 'expires'
    ? canonicalJson({ ...rule, at: Date.parse(rule.at) })
    : canonicalJson(
        Object.fromEntries(
          Object.entries(rule).map(([name, value]) => [
            name,
            Array.isArray(value) ? value.toSorted() : value,
          ]),
        ),
      )
