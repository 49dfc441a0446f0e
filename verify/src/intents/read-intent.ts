import { type Fields, refuseUnknown, toFields } from '../fields.ts'
import { BadWish } from '../refusal.ts'

const VERSION = 1
const FIELDS = [
  'v',
  'action',
  'network',
  'chainId',
  'sender',
  'validator',
  'amount',
  'expectedEffects',
  'maxGas',
  'expiresEpoch',
  'policyHash',
  'calls',
  'issuedAt',
  'expiresAt',
  'nonce',
]
const EFFECT = ['action', 'validator', 'stakedTokenId', 'stakedTokenIds', 'amount']

type IntentReading = {
  /** The intent as a wish. */
  readonly wish: Fields
  readonly calls: readonly string[]
  readonly chain: string
}

/** Parses an intent. Its redundant fields must agree. */
export function readIntent(intent: Fields): IntentReading {
  if (intent['v'] !== VERSION) throw new BadWish(`v must be ${VERSION}: other intents are not known`)
  refuseUnknown(intent, FIELDS, 'the intent')
  const missing = FIELDS.find((name) => intent[name] === undefined)
  if (missing !== undefined) throw new BadWish(`the intent has no ${missing}`)
  const { network, sender, maxGas, expiresEpoch, calls, chainId } = intent
  const items = effectsOf(intent)
  checkAgreement(intent, items)
  if (!Array.isArray(calls) || !calls.every((call) => typeof call === 'string'))
    throw new BadWish('calls must be a list of texts')
  if (typeof chainId !== 'string') throw new BadWish('chainId must be a text')
  // An intent writes null where a wish leaves a field out.
  const known = Object.entries({ sender, expiresEpoch }).filter(([, value]) => value !== null)
  return { wish: { network, maxGas, items, ...Object.fromEntries(known) }, calls, chain: chainId }
}

function effectsOf({ expectedEffects }: Fields): readonly Fields[] {
  if (!Array.isArray(expectedEffects)) throw new BadWish('expectedEffects must be a list')
  return expectedEffects.map((effect, at) => {
    const fields = toFields(effect, `expectedEffects[${at}]`)
    refuseUnknown(fields, EFFECT, `expectedEffects[${at}]`)
    return fields
  })
}

/** A reader may look at the summary fields only, so they must agree with the items. */
function checkAgreement({ action, validator, amount }: Fields, items: readonly Fields[]): void {
  const [only] = items
  const expected =
    action === 'batch'
      ? { validator: null, amount: null }
      : { validator: only?.['validator'] ?? null, amount: only?.['amount'] ?? null }
  const isOne = action === 'batch' || (items.length === 1 && only?.['action'] === action)
  if (!isOne || validator !== expected.validator || amount !== expected.amount)
    throw new BadWish('action, validator and amount do not agree with expectedEffects')
}
