import { formatShare, localNumbers } from '../../parts/format.ts'

/** The labels of the API's fields, used in error messages. A form may have its own. */
export type Labels = Readonly<Record<string, string>>

const LABELS: Labels = {
  amount: 'Amount',
  maxValidators: 'At most … validators',
  riskAversion: 'Risk aversion',
  maxShare: 'Largest share',
  minScore: 'Lowest score',
  maxCommission: 'Highest commission',
  exclude: 'Left out',
  groups: 'Groups that belong together',
  keepLiquid: 'Keep at hand',
  owner: 'Address that owns the stake',
  positions: 'What you hold',
  principal: 'amount',
  validatorId: 'validator',
  stakedTokenId: 'staked token',
  agentName: 'Name',
  name: 'Name',
  email: 'E-mail address',
  code: 'Code',
  totp: 'Code from your authenticator app',
  allowedNetworks: 'Accepted from',
  scopes: 'It may',
  expiresAt: 'It works',
  rateLimits: 'Limits',
  rpm: 'Per minute',
  rpd: 'Per day',
  tier: 'Tier',
  rules: 'rule',
}

/** Fields that forms show in percent, and the API has as fractions. */
const FRACTIONS = ['maxShare', 'maxCommission']

/** Calls, headers and documents, which only programs need. */
const FOR_PROGRAMS =
  /\b(GET|POST|PUT|PATCH|DELETE) \/|\/api\/|\/openapi\.json|\/llms\.txt|\bdocs\/|X-API-Key|If-Match|Idempotency-Key|Authorization\b/
const BETWEEN_CLAUSES = /(?:: |; |, (?=see )| \()/

/**
 * Rewrites a text of the API for people: fields become labels, hints for programs are dropped, and other
 * identifiers are split into words.
 */
export function inPlainWords(text: string, labels: Labels = {}): string {
  // A field name alone in parentheses is a hint for programs.
  const sentences = text
    .replaceAll(/ \([a-z]+[A-Z]\w*\)/g, '')
    .split(/(?<=[.!?])\s+/)
    .flatMap(withoutCalls)
  return localNumbers(sentences.map((sentence) => withLabels(sentence, { ...LABELS, ...labels })).join(' '))
}

function withoutCalls(sentence: string): readonly string[] {
  if (!FOR_PROGRAMS.test(sentence)) return [sentence]
  const clauses = sentence.split(BETWEEN_CLAUSES)
  const first = clauses.findIndex((clause) => FOR_PROGRAMS.test(clause))
  const kept = sentence.slice(0, sentence.indexOf(clauses[first] ?? '')).replace(/[\s:;,(]+$/, '')
  return kept === '' ? [] : [`${kept}.`]
}

/** A field path of the API, in backquotes or recognisable by its form. */
const NAMED =
  /`([^`]+)`|\b([a-z]+(?:[A-Z][a-z]*)+(?:\[\d+\])?(?:\.\w+(?:\[\d+\])?)*|[a-z]\w*\[\d+\](?:\.\w+(?:\[\d+\])?)*|[a-z]+_[a-z_]+)/g

function withLabels(sentence: string, labels: Labels): string {
  const isFraction = FRACTIONS.some((name) => sentence.includes(name))
  const named = sentence.replaceAll(NAMED, (_, marked: string | undefined, bare: string | undefined) =>
    pathText(marked ?? bare ?? '', labels),
  )
  return isFraction ? named.replaceAll(/\b0?\.\d+\b/g, (number) => percentOf(Number(number))) : named
}

/** Omits decimals of a whole number of percent. */
const percentOf = (fraction: number): string =>
  formatShare(fraction, Number.isInteger(Math.round(fraction * 10_000) / 100) ? 0 : 2)

/** `positions[1].principal` becomes “What you hold”, number 2, amount. */
export function pathText(path: string, labels: Labels = {}): string {
  const known = { ...LABELS, ...labels }
  const parts = [...path.matchAll(/([^.[\]]+)(?:\[(\d+)\])?/g)].map(([, field = '', index]) => {
    const label = known[field]
    const text = label === undefined ? wordsOf(field) : `“${label}”`
    return index === undefined ? text : `${text}, number ${Number(index) + 1}`
  })
  return parts.join(', ')
}

/** `minStakeAmount` becomes: min stake amount. */
const wordsOf = (name: string): string =>
  name
    .replaceAll(/([a-z\d])([A-Z])/g, '$1 $2')
    .replaceAll('_', ' ')
    .toLowerCase()
