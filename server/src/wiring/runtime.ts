import type { RedisTimeouts } from '#adapters/redis/open-redis.ts'
import type { Timeouts } from '#adapters/sql/postgres/connections/session.ts'
import type { EndpointLimits } from '#adapters/sui/connection/endpoint.ts'
import type { NetworkView } from '#domain/network/network-view.ts'
import type { StakingChain } from '#ports/chain/staking-chain.ts'
import type { Clock } from '#ports/clock.ts'
import type { Logger } from '#ports/logger.ts'
import type { Meters } from '#ports/meters.ts'
import type { VerifyThread } from './audit/verify-in-thread.ts'

/** The process's resources for the service: clock, randomness and output. */
export type Runtime = {
  readonly clock: Clock
  readonly logger: Logger
  readonly meters: Meters
  /** Randomness for non-secret purposes, such as jitter. */
  readonly random: () => number
  readonly version: string
  /** Whether other processes of this machine listen on the same port. */
  readonly isOneOfMany?: boolean
  readonly forTests?: TestSettings
}

/** Settings for tests and benchmarks. */
type TestSettings = {
  /** Longer timeouts for a store that others use too, on a busy machine. */
  readonly storeTimeouts?: Timeouts
  readonly redisTimeouts?: RedisTimeouts
  /** Other limits for calls to nodes. */
  readonly nodeLimits?: Partial<EndpointLimits>
  /** False: data for the first requests is computed on demand instead of ahead. */
  readonly preparesAhead?: boolean
  /** False: after the first data, jobs run only by `runJob`, because the test's clock stands still. */
  readonly runsJobs?: boolean
  /** Deadline of all jobs, for slow test machines. */
  readonly jobDeadlineMs?: number
  /** Longest time that the start waits for history. */
  readonly historyWaitMs?: number
  /** Keep-alive timeout: a busy client in the same process may look idle. */
  readonly keepAliveMs?: number
  /** A verification thread shared by several services in one process. */
  readonly verifyThread?: VerifyThread
  /** Replaces how the network is restored at the start, for example by the view that another service has restored. */
  readonly restore?: (stored: () => Promise<NetworkView | undefined>) => Promise<NetworkView | undefined>
  /** Replaces the configured chain. */
  readonly chain?: StakingChain
}
