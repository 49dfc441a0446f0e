/** Every number the API promises, in one place. */
export const TIERS = {
  free: { visibleValidators: 10, mayRebalance: false, rpm: 10, rpd: 100 },
  builder: { visibleValidators: 25, mayRebalance: true, rpm: 100, rpd: 1_000 },
  /** Pro and enterprise limits are set by an admin; these hold until one does. */
  pro: { visibleValidators: Number.POSITIVE_INFINITY, mayRebalance: true, rpm: 1_000, rpd: 100_000 },
  enterprise: { visibleValidators: Number.POSITIVE_INFINITY, mayRebalance: true, rpm: 5_000, rpd: 1_000_000 },
} as const satisfies Record<
  string,
  { visibleValidators: number; mayRebalance: boolean; rpm: number; rpd: number }
>

/** The APY of a validator is the lower of its means over these numbers of last completed epochs. */
export const APY_EPOCHS = { short: 7, long: 30 } as const

export type Tier = keyof typeof TIERS
export const TIER_NAMES = ['free', 'builder', 'pro', 'enterprise'] as const satisfies readonly Tier[]

export const LIMITS = {
  bodyBytes: 102_400,
  urlBytes: 8_192,
  jsonDepth: 32,
  requestMs: 10_000,
  verificationMs: 86_400_000,
  ipPerMinute: 100,
  connectionsPerIp: 500,
  globalPerMinute: 10_000,
  registrationsPerIpHour: 3,
  registrationsPerIpDay: 10,
  registrationsPerDay: 100,
  agentsPerOwner: 25,
  sandboxKeysPerIpHour: 100,
  /** Limits of sandbox keys: a rehearsal of many epochs is thousands of calls, and they cost no node anything. */
  sandboxKeyPerMinute: 1_000,
  sandboxKeyPerDay: 100_000,
  sandboxLoanCoins: 100_000_000,
  sandboxEpochsPerHour: 1_000,
  /** Shared by all keys that are used from one address. */
  sandboxEpochsPerIpHour: 2_000,
  userPerMinute: 100,
  userPerDay: 10_000,
  linkMailsPerNetworkDay: 3,
  linkMailsPerDay: 10,
  codeMailsPerDay: 5,
  /** Per mailbox and kind of notice; notices of waiting approvals per agent. */
  noticeMailsPerDay: 20,
  rebalancePositions: 50,
  rebalanceTargets: 10,
  horizonEpochs: 3_650,
  allocationValidators: { max: 50, default: 5 },
  riskAversion: { max: 1_000, default: 10 },
  backtestEpochs: { min: 7, max: 90, default: 60 },
  scoredIds: 100,
  /** As many as the validators of an allocation, so that each allocation fits into one transaction. */
  batchItems: 50,
  joinedTokens: 10,
  batchJoinedTokens: 200,
  keptBuildsPerAgent: 1_000,
  /** More than the longest batch needs: one per joined token, and three per other item. */
  executedCommands: 300,
  exportedActions: 10_000,
  pageSize: { max: 100, default: 50 },
  graceSeconds: 604_800,
  keysPerAgent: 20,
  endedKeysPerAgent: 100,
  keyNetworks: 20,
  policyChangesPerDay: 100,
  policiesInForce: 20,
  approvalMs: 86_400_000,
  approvalsWaiting: 50,
  approvalsKeptDays: 90,
  sessionsPerUser: 100,
  walletChallengeMs: 300_000,
  freshSignInMs: 900_000,
  codeMs: 600_000,
  codeTries: 5,
  codeTriesByStrangers: 5,
  longCodeMs: 21_600_000,
  codeResendAfterMs: 10_800_000,
  enrolTotpMs: 900_000,
  factorTries: 5,
  recoveryCodes: 10,
} as const
