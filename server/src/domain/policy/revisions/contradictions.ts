import type { PolicyRule, RuleOf } from '#ports/stores/policies.ts'
import type { WrongField } from '../../../fault.ts'

/** A rule that cannot be meant as written. `about` identifies the contradiction across revisions. */
type Contradiction = WrongField & { readonly about: string }

/**
 * The contradictions of a new revision, with itself or with the current time. Those that the replaced revision already
 * had are accepted: pausing an agent must work at once, even if its policy has expired.
 */
export function newContradictions(
  rules: readonly PolicyRule[],
  replaced: readonly PolicyRule[],
  now: number,
): readonly WrongField[] {
  const before = new Set(contradictionsIn(replaced, now).map(({ about }) => about))
  return contradictionsIn(rules, now).filter(({ about }) => !before.has(about))
}

function contradictionsIn(rules: readonly PolicyRule[], now: number): readonly Contradiction[] {
  const senders = rules.find((rule): rule is RuleOf<'senders'> => rule.rule === 'senders')
  return rules.flatMap((rule, at): readonly Contradiction[] => {
    const place = `rules[${at}]`
    if (rule.rule === 'validators') return inBothLists(rule, place)
    if (rule.rule === 'expires') return expired(rule, place, now)
    return rule.rule === 'recipients' && senders ? noCommonAddress(rule, senders, place) : []
  })
}

const inBothLists = (
  { allow = [], deny = [] }: RuleOf<'validators'>,
  place: string,
): readonly Contradiction[] =>
  deny.flatMap((id, at) =>
    allow.includes(id)
      ? [
          {
            about: `validators ${id}`,
            field: `${place}.deny[${at}]`,
            problem: 'is in `allow`, too',
            instead: 'name this validator in one of the two lists',
          },
        ]
      : [],
  )

const expired = ({ at }: RuleOf<'expires'>, place: string, now: number): readonly Contradiction[] =>
  Date.parse(at) < now
    ? [
        {
          about: `expires ${at}`,
          field: `${place}.at`,
          problem: `is in the past: it is ${new Date(now).toISOString()}`,
          instead: 'send a later time, or the rule `paused` to allow no transaction at all',
        },
      ]
    : []

/** Withdrawn coins go to the signer, so without a common address nothing could ever be built. */
const noCommonAddress = (
  { allow }: RuleOf<'recipients'>,
  senders: RuleOf<'senders'>,
  place: string,
): readonly Contradiction[] =>
  allow.some((address) => senders.allow.includes(address))
    ? []
    : [
        {
          about: `recipients ${[...allow, 'senders', ...senders.allow].join(' ')}`,
          field: `${place}.allow`,
          problem: 'has no address of the rule `senders`, and what comes out goes to the signer',
          instead: 'name an address in both rules, or leave one of the two out',
        },
      ]
