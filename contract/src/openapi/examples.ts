import type { Input } from '../index.ts'
import type { EndpointName } from '../routes.ts'

/** Ids that exist in a fresh sandbox (`SANDBOX_SEED` 1). */
export const EXAMPLE_VALIDATOR = '0x083d90b3be2f2b2710798986a547532706ea5aed866c095a7e6193f114048ae5'
const OWNER = '0x0147e6f7d432c161d54430ef3e703987fa5bc47b782b8196d8532dbe8eb0207c'
const TOKEN = '0x222d6972fbada67ba1460896979ca329931d91610d48183a9b5395926f8c4587'
const TOKEN_OF_INACTIVE = '0x89a9994901bc7edc2b8402f38398863da2d5d9a6163da127b84eb5070e08ec79'
/** Two positions that differ only in their principal. */
const TWO_ALIKE = [
  '0xafdf7eac4ed7aa67a743ffea652cf306ea956913c06bf00d818f1fa5656ffd7d',
  '0xab397675900d6235ce202f23db2bb7ec8ab1ac6fb17a97e987c7a2d9ea9ace95',
]
const OWNER_OF_ALIKE = '0xbfb890562ebbc2e7b8081962256f3e75c2dd78792370c9276616997ed4f393c0'
const PACKAGE = '0x0db93b07401ee46c63777606a17c763ea537ae4881368ca6e29ff4dc35fed365'
const SYSTEM = '0x751fbc576ae8eeeb58fd6c6e56395cff0ac264097b9e7a65ee6cd850d664d912'
const SENDER = `0x${'a1'.repeat(32)}`

/** Placeholders for values that come from a registration, a mail or a list of agents. */
export const PLACEHOLDERS = {
  agentId: 'agt_your_agent',
  token: '0123456789abcdef'.repeat(4),
  code: '123456',
  totp: '654321',
  nextTotp: '765432',
  recoveryCode: 'A1B2C-D3E4F-G5H6J-K7M8N',
  keyId: 'key_your_key',
  sessionId: 'ses_your_session',
  approvalId: 'apr_your_approval',
  reservationId: 'rsv_your_reservation',
  intentId: 'Intent-id-of-your-transaction-in-base64url-',
  apiKey: `stk_${'A'.repeat(46)}`,
} as const

const EMAIL = 'agent@example.com'
const AGENT = { id: PLACEHOLDERS.agentId } as const

/** One request per endpoint that takes one. Each works on a fresh sandbox, placeholders aside. */
export const EXAMPLES = {
  validators: { sort: 'score', limit: 5, fields: 'id,name,score,apy' },
  validator: { id: EXAMPLE_VALIDATOR },
  validatorApyHistory: { id: EXAMPLE_VALIDATOR, period: '7d', interval: 'day' },
  validatorCommissionHistory: { id: EXAMPLE_VALIDATOR },
  apyHistory: { period: '7d', interval: 'day' },
  validatorHistories: { epochs: 30, limit: 5 },
  accuracy: { horizon: '7' },
  scoredValidators: { validators: EXAMPLE_VALIDATOR },
  allocate: { amount: '9000000000000', maxValidators: 3, maxShare: 0.5, exclude: [EXAMPLE_VALIDATOR] },
  planRebalance: {
    positions: [{ stakedTokenId: TOKEN, validatorId: EXAMPLE_VALIDATOR, principal: '724501000000000' }],
    maxTargets: 3,
  },
  backtest: { amount: '9000000000000000', maxValidators: 5, epochs: 30 },
  buildStake: { validatorId: EXAMPLE_VALIDATOR, amount: '10000000000', sender: SENDER },
  buildUnstake: { stakedTokenId: TOKEN, amount: '10000000000', sender: OWNER },
  buildWithdraw: { stakedTokenId: TOKEN_OF_INACTIVE },
  buildJoin: { stakedTokenIds: TWO_ALIKE, sender: OWNER_OF_ALIKE },
  buildBatch: {
    items: [
      { action: 'stake', validatorId: EXAMPLE_VALIDATOR, amount: '10000000000' },
      { action: 'unstake', stakedTokenId: TOKEN, amount: '10000000000' },
    ],
    sender: OWNER,
  },
  releaseReservation: { intentId: PLACEHOLDERS.intentId },
  simulatePolicy: {
    items: [{ action: 'stake', validatorId: EXAMPLE_VALIDATOR, amount: '10000000000' }],
    sender: SENDER,
  },
  positions: { owner: OWNER, limit: 10 },
  rewards: { owner: OWNER, epochs: 7 },
  delegators: { validatorId: EXAMPLE_VALIDATOR, limit: 2 },
  sandboxKey: { agentName: 'yield-scout' },
  sandboxExecute: {
    sender: SENDER,
    commands: [
      { kind: 'coin', id: 'coin', coinType: `${PACKAGE}::sbx::SBX`, amount: '10000000000' },
      {
        kind: 'moveCall',
        id: 'staked',
        target: `${PACKAGE}::system::request_add_stake`,
        typeArguments: [],
        arguments: [
          { kind: 'sharedObject', objectId: SYSTEM, initialSharedVersion: '1', mutable: true },
          { kind: 'result', of: 'coin' },
          { kind: 'pure', type: 'id', value: EXAMPLE_VALIDATOR },
        ],
      },
      { kind: 'transferToSender', objects: [{ kind: 'result', of: 'staked' }] },
    ],
  },
  sandboxAdvance: { epochs: 1 },
  selfRegister: { email: EMAIL, agentName: 'yield-scout', agentType: 'autonomous' },
  walletChallenge: { address: SENDER },
  verifyEmail: { token: PLACEHOLDERS.token },
  resendVerification: { email: EMAIL },
  requestCode: { email: EMAIL },
  exchangeCode: { email: EMAIL, code: PLACEHOLDERS.code },
  listSessions: { limit: 10 },
  endSession: { id: PLACEHOLDERS.sessionId },
  confirmTotp: { code: PLACEHOLDERS.totp },
  renewRecoveryCodes: { code: PLACEHOLDERS.nextTotp },
  removeTotp: { code: PLACEHOLDERS.recoveryCode },
  listAgents: { limit: 10, status: 'active' },
  readAgent: AGENT,
  registerAgent: { agentName: 'yield-scout', tier: 'builder' },
  updateAgent: { ...AGENT, status: 'suspended' },
  rotateKey: { ...AGENT, gracePeriodSeconds: 3600 },
  listKeys: AGENT,
  createKey: { ...AGENT, name: 'ci', scopes: ['read', 'build'], allowedNetworks: ['203.0.113.0/24'] },
  revokeKey: { ...AGENT, keyId: PLACEHOLDERS.keyId },
  readPolicy: AGENT,
  writePolicy: {
    ...AGENT,
    rules: [
      { rule: 'actions', allow: ['stake', 'unstake', 'withdraw'] },
      { rule: 'maxPerTx', amount: '1000000000000' },
      { rule: 'maxCommission', commission: 0.1 },
      { rule: 'hours', days: ['mon', 'tue', 'wed', 'thu', 'fri'], from: 8, to: 18 },
    ],
    loosenAfterSeconds: 86_400,
  },
  policyRevisions: { ...AGENT, limit: 10 },
  listApprovals: { ...AGENT, limit: 10 },
  waitingApprovals: { limit: 10 },
  readApproval: { ...AGENT, approvalId: PLACEHOLDERS.approvalId },
  decideApproval: { ...AGENT, approvalId: PLACEHOLDERS.approvalId, decision: 'approve' },
  listReservations: { ...AGENT, limit: 10 },
  cancelReservation: { ...AGENT, reservationId: PLACEHOLDERS.reservationId },
  revokeAgent: AGENT,
  reportLeak: { apiKey: PLACEHOLDERS.apiKey },
  agentProfile: AGENT,
  agentAudit: { ...AGENT, limit: 10 },
  listActions: { limit: 10 },
} as const satisfies { readonly [Name in EndpointName]?: Input<Name> }
