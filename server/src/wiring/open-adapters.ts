import { setTimeout as wait } from 'node:timers/promises'
import { LIMITS } from '@stakewright/contract'
import { inWords, REST_WORDS } from '@stakewright/contract/words'
import { openUserTokens } from '#adapters/jwt/user-tokens.ts'
import { fileMailer } from '#adapters/mail/file-mailer.ts'
import { httpPriceFeed } from '#adapters/price/http-price.ts'
import { sandboxPriceFeed } from '#adapters/sandbox/price-walk.ts'
import { openSandboxChain } from '#adapters/sandbox/sandbox-chain.ts'
import type { Database } from '#adapters/sql/schema.ts'
import { EVERYBODY, findAgent } from '#adapters/sql/stores/agent-queries.ts'
import { sqlReadRates } from '#adapters/sql/stores/chain/read-rates.ts'
import { sqlSnapshots } from '#adapters/sql/stores/chain/snapshots.ts'
import { sqlSandboxStates } from '#adapters/sql/stores/sandbox-states.ts'
import { stakeOwnerOf } from '#domain/agents/registration/sandbox-keys.ts'
import { soleWitness } from '#domain/network/agreement.ts'
import type { ChainNodes } from '#ports/chain/chain-nodes.ts'
import type { ChainWitnesses } from '#ports/chain/chain-witnesses.ts'
import type { PriceFeed } from '#ports/chain/price-feed.ts'
import type { Sandbox } from '#ports/chain/sandbox.ts'
import type { StakingChain } from '#ports/chain/staking-chain.ts'
import type { ZkLogins } from '#ports/chain/wallets.ts'
import type { Clock } from '#ports/clock.ts'
import type { Logger } from '#ports/logger.ts'
import type { Mailer } from '#ports/stores/outbox.ts'
import type { Config } from '../config.ts'
import type { Runtime } from './runtime.ts'

/** Opens the adapters that the configuration selects. */

type OpenedChain = AsyncDisposable & {
  readonly chain: StakingChain
  /** Undefined on real chains. */
  readonly sandbox: Sandbox | undefined
  readonly witnesses: ChainWitnesses
  readonly nodes: ChainNodes
  /** Undefined without full nodes. */
  readonly zkLogins: ZkLogins | undefined
}

/** For the sandbox, which has no nodes. */
export const NO_NODES: ChainNodes = { states: () => [] }

type ChainNeeds = {
  readonly db: Database
  readonly clock: Clock
  readonly random: () => number
  readonly logger: Logger
  readonly nodeLimits: NonNullable<Runtime['forTests']>['nodeLimits']
}

export async function openChain(
  { chain }: Config,
  { db, clock, random, logger, nodeLimits }: ChainNeeds,
): Promise<OpenedChain> {
  if (chain.kind === 'sandbox') {
    const states = sqlSandboxStates(db)
    const sandbox = await openSandboxChain({
      seed: chain.seed,
      epochMs: chain.epochMs,
      clock,
      states,
      allowance: {
        loan: BigInt(LIMITS.sandboxLoanCoins) * 1_000_000_000n,
        epochsPerHour: LIMITS.sandboxEpochsPerHour,
        epochsPerHourOfNetwork: LIMITS.sandboxEpochsPerIpHour,
      },
      stakeOwnerOf: async (id) => {
        const agent = await findAgent(db, EVERYBODY, id)
        return agent ? stakeOwnerOf(agent) : id
      },
    })
    const witnesses = soleWitness(sandbox)
    const none = { nodes: NO_NODES, zkLogins: undefined }
    return { chain: sandbox, sandbox, witnesses, ...none, [Symbol.asyncDispose]: async () => {} }
  }
  // Imported lazily, because the SDK is large and the sandbox does not need it.
  const { openSuiChain } = await import('#adapters/sui/open-sui-chain.ts')
  const { network, nodes, callsPerWindow, reservedCalls } = chain
  const pause = (ms: number, signal: AbortSignal) => wait(ms, undefined, { signal, ref: false })
  const holders = chain.holders && { ...chain.holders, pause }
  const readRates = sqlReadRates(db)
  const { commissions: seenCommissions } = sqlSnapshots({ db, logger })
  const opened = openSuiChain({
    network,
    nodes,
    clock,
    random,
    logger,
    limits: { ...nodeLimits, callsPerWindow, reservedCalls },
    readRates,
    seenCommissions,
    holders,
  })
  const { witnesses, nodes: states, zkLogins } = opened
  const close = () => opened[Symbol.asyncDispose]()
  return {
    chain: opened,
    sandbox: undefined,
    witnesses,
    nodes: states,
    zkLogins,
    [Symbol.asyncDispose]: close,
  }
}

/** Real tokens need a configured price source; only the sandbox makes its own price. */
export function openPriceFeed({ chain, priceUrl }: Config, clock: Clock): PriceFeed | undefined {
  if (priceUrl) return httpPriceFeed(priceUrl, clock.now)
  return chain.kind === 'sandbox' ? sandboxPriceFeed({ seed: chain.seed, clock }) : undefined
}

export async function openMailer(config: Config, logger: Logger): Promise<Mailer & AsyncDisposable> {
  const mailer = await openTransport(config, logger)
  const inRest = (text: string) => inWords(text, REST_WORDS)
  return {
    send: (mail, deadline) =>
      mailer.send({ ...mail, text: inRest(mail.text), html: inRest(mail.html) }, deadline),
    [Symbol.asyncDispose]: () => mailer[Symbol.asyncDispose](),
  }
}

async function openTransport(
  { mail: { from, transport } }: Config,
  logger: Logger,
): Promise<Mailer & AsyncDisposable> {
  if (transport.kind === 'smtp') {
    const { openSmtpMailer } = await import('#adapters/mail/smtp-mailer.ts')
    return openSmtpMailer({ url: transport.url, from })
  }
  const mailer = fileMailer({ folder: transport.folder, from, logger })
  return { ...mailer, [Symbol.asyncDispose]: async () => {} }
}

export async function openTokens(
  { tokens }: Pick<Config, 'tokens'>,
  secret: string,
  { clock, logger }: { readonly clock: Clock; readonly logger: Logger },
) {
  const { jwksUrl, issuer, audience } = tokens
  return openUserTokens({
    secret,
    ...ownIssuer(tokens),
    external: jwksUrl ? { jwksUrl, issuer, audience } : undefined,
    adminEmails: new Set(tokens.adminEmails),
    clock,
    logger,
  })
}

const OWN_NAME = 'stakewright'

/**
 * Issuer and audience of the tokens that this service signs. With JWT_JWKS_URL set, the configured names are those of
 * the external issuer, so the defaults apply here.
 */
export function ownIssuer({ jwksUrl, issuer, audience }: Config['tokens']): {
  readonly issuer: string
  readonly audience: string
} {
  return jwksUrl === undefined ? { issuer, audience } : { issuer: OWN_NAME, audience: OWN_NAME }
}
