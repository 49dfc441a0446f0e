import type { RedisTimeouts } from '#adapters/redis/open-redis.ts'
import type { Timeouts } from '#adapters/sql/postgres/connections/session.ts'
import type { EndpointLimits } from '#adapters/sui/connection/endpoint.ts'
import type { NetworkView } from '#domain/network/network-view.ts'
import type { StakingChain } from '#ports/chain/staking-chain.ts'
import type { Clock } from '#ports/clock.ts'
import type { Logger } from '#ports/logger.ts'
import type { Meters } from '#ports/meters.ts'
import type { VerifyThread } from './audit/verify-in-thread.ts'

/** What the process gives the service: time, chance and output. */
export type Runtime = {
  readonly clock: Clock
  readonly logger: Logger
  readonly meters: Meters
  /** Chance for what needs no secrecy, such as jitter. */
  readonly random: () => number
  readonly version: string
  /** Other processes of this machine listen on the same port. */
  readonly isOneOfMany?: boolean
  readonly forTests?: TestSettings
}

/** What tests and measurements replace. */
type TestSettings = {
  /** Longer timeouts for a store that others use too, on a busy machine. */
  readonly storeTimeouts?: Timeouts
  readonly redisTimeouts?: RedisTimeouts
  /** Other limits for calls to nodes. */
  readonly nodeLimits?: Partial<EndpointLimits>
  /** False: what a first request needs is computed when it comes, because there are few requests. */
  readonly preparesAhead?: boolean
  /** False: after the first data, jobs run only when they are told to, because the clock stands still. */
  readonly runsJobs?: boolean
  /** How long a job may take, whichever it is: on a busy machine it is not late, only slow. */
  readonly jobDeadlineMs?: number
  /** How long the start waits for history. */
  readonly historyWaitMs?: number
  /** How long an idle connection stays open: a busy client in the same process looks idle. */
  readonly keepAliveMs?: number
  /** A thread that verifies the audit logs of several services in one process. */
  readonly verifyThread?: VerifyThread
  /** Restores the network at the start, from what is stored or from what another service has restored. */
  readonly restore?: (stored: () => Promise<NetworkView | undefined>) => Promise<NetworkView | undefined>
  /** Another chain than the configured one. */
  readonly chain?: StakingChain
}
