import { z } from 'zod'
import { ChainId } from '../chain-id.ts'
import type { EndpointSpec, ReadOnly } from '../endpoint.ts'
import { Amount, EpochNumber, IsoTime, NetworkName } from '../fields.ts'
import { ACTIONS } from '../mandates/rule-values.ts'

/** 32 bytes in base64url. */
const Digest = z.string().regex(/^[\w-]{43}$/)

const Effect = z
  .object({
    action: z.enum(ACTIONS).meta({ description: 'What is done.' }),
    validator: ChainId.optional().meta({ description: 'Validator that receives the stake.' }),
    stakedTokenId: ChainId.optional().meta({ description: 'The token to unstake or withdraw.' }),
    stakedTokenIds: z
      .array(ChainId)
      .optional()
      .meta({ description: 'The tokens to join: the first stays, the others end.' }),
    amount: Amount.optional().meta({ description: 'How much; absent: the whole token.' }),
  })
  .meta({ id: 'IntentEffect', description: 'What one part of the transaction does for the sender.' })

const Intent = z
  .object({
    v: z.literal(1).meta({ description: 'Version of the format.' }),
    action: z
      .enum([...ACTIONS, 'batch'])
      .meta({ description: 'What it does; `batch`: what `expectedEffects` lists.' }),
    network: NetworkName,
    chainId: z.string().meta({ description: 'Identifier of the chain itself.' }),
    sender: ChainId.nullable().meta({ description: 'Address that signs; null if the request named none.' }),
    validator: ChainId.nullable().meta({ description: 'Validator of the only stake, or null.' }),
    amount: Amount.nullable().meta({
      description: 'Amount of the only action; null in a batch, and for a whole token.',
    }),
    expectedEffects: z
      .array(Effect)
      .meta({ description: 'Everything the transaction does, in order. It does nothing else.' }),
    maxGas: Amount.meta({ description: 'The highest gas budget to sign, in MIST.' }),
    expiresEpoch: EpochNumber.nullable().meta({
      description: 'Last epoch of Sui in which it may be executed. Null: the node did not tell its epoch.',
    }),
    policyHash: z.string().nullable().meta({ description: 'The policy it was built under; null: none.' }),
    calls: z
      .array(z.string())
      .meta({ description: 'package::module::function of every call of the network, in order.' }),
    issuedAt: IsoTime.meta({ description: 'When it was signed.' }),
    expiresAt: IsoTime.meta({ description: 'Do not sign it after this time; build it again.' }),
    nonce: z.string().meta({ description: 'Random: no two intents have the same id.' }),
  })
  .meta({
    id: 'Intent',
    description: 'What the transaction is for, signed, so that a wallet or a person can check it later.',
  })

const Signature = z
  .object({
    keyId: Digest.meta({ description: 'Which of the published keys signed.' }),
    value: z.string().meta({
      description: 'Ed25519 over the canonical JSON (RFC 8785) of `intent`, as base64url.',
    }),
  })
  .meta({ id: 'IntentSignature', description: 'The signature of this service.' })

/** The signed intent in every answer with a transaction. */
export const signedIntent = {
  intent: Intent,
  intentId: Digest.meta({
    description: 'SHA-256 of the canonical JSON (RFC 8785) of `intent`, as base64url.',
  }),
  intentSignature: Signature,
}

const IntentKey = z
  .object({
    kid: Digest.meta({ description: '`keyId` of signatures: the thumbprint of the key (RFC 7638).' }),
    kty: z.literal('OKP').meta({ description: 'Kind of key (RFC 8037).' }),
    crv: z.literal('Ed25519').meta({ description: 'The curve.' }),
    x: Digest.meta({ description: 'The public key: 32 bytes as base64url.' }),
    use: z.literal('sig').meta({ description: 'It signs.' }),
    alg: z.literal('EdDSA').meta({ description: 'Name of the algorithm.' }),
    validFrom: IsoTime.meta({ description: 'It signs intents that are issued from this time on.' }),
    validUntil: IsoTime.nullable().meta({
      description: 'It signs intents that are issued before this time. Null: no end is planned.',
    }),
  })
  .meta({ id: 'IntentKey', description: 'A public key as JWK, and when it signs.' })

export const intentRows = {
  intentKeys: {
    tag: 'Transactions',
    summary: 'Keys that intents are signed with',
    description:
      'The public keys that intents are signed with: past, present and coming ones, as a JWK set. Keep it: `stakewright verify --keys` checks an intent with it, offline.',
    reply: z
      .object({ keys: z.array(IntentKey).meta({ description: 'The newest first.' }) })
      .meta({ id: 'IntentKeys' }),
    conditional: true,
  },
} as const satisfies Record<string, EndpointSpec>

export type Intent = ReadOnly<z.output<typeof Intent>>
