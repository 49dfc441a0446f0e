export { type NetworkPins, PINS, type PinTable, type StakingCalls } from './networks.ts'
export { BadWish, type Failure, type Rule } from './refusal.ts'
export { type Verdict, verifyTransaction } from './verify.ts'
