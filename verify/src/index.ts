export {
  compareIntent,
  type IntentOptions,
  intentExpiry,
  type SignedIntent,
  verifyIntent,
} from './intents/verify-intent.ts'
export { isTransaction } from './json/carried.ts'
export { type NetworkPins, PINS, type PinTable, type StakingCalls } from './networks.ts'
export { checkTable, digestOfTable } from './pin-digest.ts'
export { checkSignedTable, signedTextOfTable } from './pin-signature.ts'
export { BadKeys, BadTable, BadWish, type Failure, type Rule } from './refusal.ts'
export { type Verdict, verifyTransaction } from './verify.ts'
