import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Ed25519Keypair } from '@mysten/sui/keypairs/ed25519'
import { Secp256k1Keypair } from '@mysten/sui/keypairs/secp256k1'
import { Secp256r1Keypair } from '@mysten/sui/keypairs/secp256r1'
import { MultiSigPublicKey } from '@mysten/sui/multisig'
import { HOUR_MS, MINUTE_MS } from '../../../src/durations.ts'
import { sendRaw } from '../../support/raw-request.ts'
import { openTestApp, type TestApp } from '../../support/test-app.ts'
import { askStore, changeStore } from '../../support/test-store.ts'

type Wallet = { readonly address: string; sign(message: string): Promise<string> }

const REGISTER = 'POST /api/v1/agents/self-register'
const env = { LIMIT_REGISTER_IP_HOUR: '10', PUBLIC_URL: 'https://stake.example' }

function walletOf(keypair: Ed25519Keypair | Secp256k1Keypair | Secp256r1Keypair): Wallet {
  return {
    address: keypair.toSuiAddress(),
    sign: async (message) => (await keypair.signPersonalMessage(new TextEncoder().encode(message))).signature,
  }
}

async function proofOf(app: TestApp, wallet: Wallet) {
  const { data } = await app.client().walletChallenge({ address: wallet.address })
  return { address: wallet.address, nonce: data.nonce, signature: await wallet.sign(data.message) }
}

test('201: a wallet that signs gets an API key that works at once, whatever its signature scheme', async () => {
  await using app = await openTestApp({ env })
  for (const keypair of [new Ed25519Keypair(), new Secp256k1Keypair(), new Secp256r1Keypair()]) {
    const proof = await proofOf(app, walletOf(keypair))
    const { data } = await app.client().selfRegister({ agentName: 'by wallet', ...proof })
    assert.deepEqual([data.tier, data.status], ['free', 'active'])
    await app.client({ apiKey: data.apiKey }).metadata()
  }
})

test('201: two of three keys of a multisig address prove it', async () => {
  await using app = await openTestApp({ env })
  const keypairs = [new Ed25519Keypair(), new Secp256k1Keypair(), new Ed25519Keypair()]
  const publicKeys = keypairs.map((keypair) => ({ publicKey: keypair.getPublicKey(), weight: 1 }))
  const multisig = MultiSigPublicKey.fromPublicKeys({ threshold: 2, publicKeys })
  const signed = (count: number): Wallet => ({
    address: multisig.toSuiAddress(),
    sign: async (message) =>
      multisig.combinePartialSignatures(
        await Promise.all(keypairs.slice(0, count).map((keypair) => walletOf(keypair).sign(message))),
      ),
  })
  await app.client().selfRegister({ agentName: 'x', ...(await proofOf(app, signed(2))) })
  await assert.rejects(
    proofOf(app, signed(1)).then((proof) => app.client().selfRegister({ agentName: 'x', ...proof })),
    { code: 'unauthorized' },
  )
})

test('the wallet is the owner: it signs in, lists, rotates and revokes', async () => {
  await using app = await openTestApp({ env })
  const wallet = walletOf(new Ed25519Keypair())
  const { data } = await app.client().selfRegister({ agentName: 'x', ...(await proofOf(app, wallet)) })
  const signIn = async (by: Wallet) =>
    (await app.client().exchangeCode(await proofOf(app, by))).data.accessToken
  const owner = app.client({ token: await signIn(wallet) })
  const [listed] = (await owner.listAgents()).data
  assert.deepEqual([listed?.owner, listed?.identityTier], [wallet.address, 'wallet_verified'])
  const rotated = await owner.rotateKey({ id: data.id })
  await assert.rejects(app.client({ apiKey: data.apiKey }).metadata(), { code: 'unauthorized' })
  await app.client({ apiKey: rotated.data.apiKey }).metadata()
  const second = await owner.registerAgent({ agentName: 'second', tier: 'builder' })
  assert.equal(second.data.status, 'active')
  const stranger = app.client({ token: await signIn(walletOf(new Ed25519Keypair())) })
  await assert.rejects(stranger.revokeAgent({ id: data.id }), { code: 'not_found' })
  await assert.rejects(owner.registerAgent({ agentName: 'x', tier: 'pro' }), { code: 'forbidden' })
  assert.equal((await owner.revokeAgent({ id: data.id })).data.status, 'revoked')
})

test('a sign-in that cannot store its session leaves the challenge usable', async () => {
  await using app = await openTestApp({ env })
  const proof = await proofOf(app, walletOf(new Ed25519Keypair()))
  await changeStore(app.folder, 'alter table sessions rename to sessions_away')
  await assert.rejects(app.client().exchangeCode(proof), { status: 500 })
  await changeStore(app.folder, 'alter table sessions_away rename to sessions')
  await app.client().exchangeCode(proof)
  await assert.rejects(app.client().exchangeCode(proof), { code: 'unauthorized' })
})

test('a registration that is refused, or cannot be stored, leaves the challenge usable', async () => {
  await using app = await openTestApp({ env: { ...env, LIMIT_REGISTER_IP_HOUR: '1' } })
  const register = async (proof: object) =>
    (await sendRaw(app.url, REGISTER, { json: { agentName: 'x', ...proof } })).status
  app.clock.set(Math.ceil(app.clock.now() / HOUR_MS) * HOUR_MS - MINUTE_MS)
  assert.equal(await register(await proofOf(app, walletOf(new Ed25519Keypair()))), 201)
  const proof = await proofOf(app, walletOf(new Ed25519Keypair()))
  assert.equal(await register(proof), 429)
  app.clock.advance(MINUTE_MS)
  await changeStore(app.folder, 'alter table agent_keys rename to agent_keys_away')
  assert.equal(await register(proof), 500)
  await changeStore(app.folder, 'alter table agent_keys_away rename to agent_keys')
  assert.equal(await register(proof), 201)
  assert.equal(await register(proof), 401)
})

test('401: a challenge is good for one use, one address, five minutes and its own text', async () => {
  await using app = await openTestApp({ env })
  const [wallet, other] = [walletOf(new Ed25519Keypair()), walletOf(new Ed25519Keypair())]
  const refused = async (proof: object) => {
    const { status } = await sendRaw(app.url, REGISTER, { json: { agentName: 'x', ...proof } })
    assert.equal(status, 401)
  }
  const used = await proofOf(app, wallet)
  await app.client().selfRegister({ agentName: 'x', ...used })
  await refused(used)
  const spoiled = await proofOf(app, wallet)
  await refused({ ...spoiled, signature: await other.sign('something else') })
  await refused(spoiled)
  await refused({ ...(await proofOf(app, wallet)), address: other.address })
  await refused({ ...(await proofOf(app, wallet)), signature: 'no signature' })
  const old = await proofOf(app, wallet)
  app.clock.advance(300_000)
  await refused(old)
})

/** Changes of a challenge by an attacker who can write the database, but lacks the pepper. */
const FORGERIES: Readonly<Record<string, (forged: Forged) => Promise<object>>> = {
  'whose text the wallet signed elsewhere': async ({ ask, wallet }) => {
    const message = 'Welcome to another service! Sign in.'
    await ask(`update wallet_challenges set message = '${message}' where address = '${wallet.address}'`)
    return { address: wallet.address, signature: await wallet.sign(message) }
  },
  'that was given a later end': async ({ ask, proof, later }) => {
    await ask(`update wallet_challenges set expires_at = 99999999999999`)
    later()
    return proof
  },
  'that was issued for another wallet': async ({ ask, wallet, other }) => {
    const [row] = await ask(`select message from wallet_challenges where address = '${other.address}'`)
    const text = `message = '${row?.['message']}'`
    await ask(`update wallet_challenges set ${text} where address = '${wallet.address}'`)
    return { address: wallet.address, signature: await wallet.sign(other.message) }
  },
}

type Forged = {
  readonly ask: (sql: string) => Promise<readonly Readonly<Record<string, unknown>>[]>
  readonly wallet: Wallet
  readonly proof: object
  readonly other: { readonly address: string; readonly message: string }
  readonly later: () => void
}

for (const [what, forge] of Object.entries(FORGERIES)) {
  test(`401: a challenge in the database ${what} proves nothing`, async () => {
    await using app = await openTestApp({ env })
    const wallet = walletOf(new Ed25519Keypair())
    const { address } = walletOf(new Ed25519Keypair())
    const { data: issued } = await app.client().walletChallenge({ address })
    const proof = await proofOf(app, wallet)
    const forged = await forge({
      ask: (sql) => askStore(app.folder, sql),
      wallet,
      proof,
      other: { address, message: issued.message },
      later: () => app.clock.advance(300_000),
    })
    const { nonce } = proof
    const { status } = await sendRaw(app.url, 'POST /api/v1/auth/token', { json: { nonce, ...forged } })
    assert.equal(status, 401)
    const rows = await askStore(app.folder, 'select nonce, message from wallet_challenges')
    assert(!JSON.stringify(rows).includes(nonce))
  })
}

test('201: of simultaneous uses of a challenge one succeeds', async () => {
  await using app = await openTestApp({ env })
  const json = { agentName: 'x', ...(await proofOf(app, walletOf(new Ed25519Keypair()))) }
  const answers = await Promise.all(Array.from({ length: 10 }, () => sendRaw(app.url, REGISTER, { json })))
  assert.deepEqual(answers.map(({ status }) => status).toSorted(), [201, ...Array<number>(9).fill(401)])
})

test('400: neither address nor proof, both of them, or an incomplete proof', async () => {
  await using app = await openTestApp({ env })
  const proof = await proofOf(app, walletOf(new Ed25519Keypair()))
  const { signature: _, ...incomplete } = proof
  for (const json of [{}, incomplete, { email: 'ann@example.com', ...proof }]) {
    assert.equal((await sendRaw(app.url, REGISTER, { json: { agentName: 'x', ...json } })).status, 400)
  }
  for (const json of [{ email: 'ann@example.com' }, { code: '123456' }, incomplete]) {
    assert.equal((await sendRaw(app.url, 'POST /api/v1/auth/token', { json })).status, 400)
  }
})

test('429: registrations by wallet count like those by mail', async () => {
  await using app = await openTestApp({ env: { LIMIT_REGISTER_IP_HOUR: '1' } })
  await app.client().selfRegister({ agentName: 'x', email: 'ann@example.com' })
  const proof = await proofOf(app, walletOf(new Ed25519Keypair()))
  await assert.rejects(app.client().selfRegister({ agentName: 'x', ...proof }), { code: 'rate_limited' })
})

test('the text of a challenge names the service, the address, the nonce and its end', async () => {
  await using app = await openTestApp({ env })
  const { address } = walletOf(new Ed25519Keypair())
  const { data } = await app.client().walletChallenge({ address })
  for (const part of ['stake.example', address, data.nonce, data.expiresAt])
    assert(data.message.includes(part))
})

test('401: a zkLogin signature is refused with the reason, and its challenge stays usable', async () => {
  await using app = await openTestApp({ env })
  const wallet = walletOf(new Ed25519Keypair())
  const proof = await proofOf(app, wallet)
  const signature = Buffer.from([5, ...Buffer.from(proof.signature, 'base64').subarray(1)]).toString('base64')
  const refusal = { code: 'unauthorized', message: /zkLogin signature.*full node/ }
  await assert.rejects(app.client().selfRegister({ agentName: 'zk', ...proof, signature }), refusal)
  await app.client().selfRegister({ agentName: 'by wallet', ...proof })
})
