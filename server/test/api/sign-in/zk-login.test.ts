import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bcs } from '@mysten/sui/bcs'
import type { GrpcTypes } from '@mysten/sui/grpc'
import { Ed25519Keypair } from '@mysten/sui/keypairs/ed25519'
import { computeZkLoginAddressFromSeed, getZkLoginSignature } from '@mysten/sui/zklogin'
import { sampleWorld } from '../../sui/opened-chain.ts'
import { type ChainApp, openChainApp } from '../../support/chain-app.ts'

const SEED = '13322897930163218532266430409510394316985274769125667290600321564259466511711'
const ISSUER = 'https://accounts.google.com'
/** The claim `"iss":"https://accounts.google.com",` as it stands in a token of the provider. */
const ISSUER_CLAIM = { value: 'yJpc3MiOiJodHRwczovL2FjY291bnRzLmdvb2dsZS5jb20iLC', indexMod4: 1 }
const ADDRESS = computeZkLoginAddressFromSeed(BigInt(SEED), ISSUER, false)

/** A zkLogin signature as a wallet makes it, but with an invalid proof: the fake nodes decide whether it is accepted. */
async function signatureOf(message: string): Promise<string> {
  const { signature } = await new Ed25519Keypair().signPersonalMessage(new TextEncoder().encode(message))
  const point = ['1', '2', '1']
  const proofPoints = { a: point, b: [point.slice(1), point.slice(1), point.slice(1)], c: point }
  const inputs = {
    proofPoints,
    issBase64Details: ISSUER_CLAIM,
    headerBase64: 'eyJhbGciOiJSUzI1NiJ9',
    addressSeed: SEED,
  }
  return getZkLoginSignature({ inputs, maxEpoch: '1000', userSignature: signature })
}

async function proofOf(app: ChainApp, address = ADDRESS) {
  const { data } = await app.client().walletChallenge({ address })
  return { message: data.message, address, nonce: data.nonce, signature: await signatureOf(data.message) }
}

const register = (app: ChainApp, { message: _, ...proof }: Awaited<ReturnType<typeof proofOf>>) =>
  app.client({ retries: 0 }).selfRegister({ agentName: 'by login', ...proof })

const verifyCalls = ({ nodes }: ChainApp) =>
  nodes.flatMap(({ calls }) => calls.filter((method) => method === 'VerifySignature')).length

const UNPROVEN = { code: 'unauthorized', message: /does not prove this address/ }

test('201: if the node accepts a zkLogin signature, its address is the owner', async () => {
  await using app = await openChainApp('sui')
  const [node = assert.fail()] = app.nodes
  const asked: GrpcTypes.VerifySignatureRequest[] = []
  node.zkLogin = (request) => asked.push(request) > 0
  const proof = await proofOf(app)
  const { data } = await register(app, proof)
  assert.equal(data.status, 'active')
  const [{ message, address, signature } = assert.fail()] = asked
  assert.equal(message?.name, 'PersonalMessage')
  const text = bcs.byteVector().parse(message?.value ?? assert.fail())
  assert.equal(new TextDecoder().decode(Uint8Array.from(text)), proof.message)
  assert.equal(address, ADDRESS)
  assert.equal(Buffer.from(signature?.bcs?.value ?? []).toString('base64'), proof.signature)

  await assert.rejects(register(app, proof), UNPROVEN, 'a challenge is used once')
  const { message: _, ...signedIn } = await proofOf(app)
  const token = await app.client().exchangeCode(signedIn)
  const agents = await app.client({ token: token.data.accessToken }).listAgents()
  assert.deepEqual(
    agents.data.map(({ id, owner }) => [id, owner]),
    [[data.id, ADDRESS]],
  )
})

test('401: one node that rejects the signature outweighs the others, and the challenge is used up', async () => {
  await using app = await openChainApp('sui', [sampleWorld('sui'), sampleWorld('sui')])
  const [first = assert.fail(), second = assert.fail()] = app.nodes
  first.zkLogin = () => true
  second.zkLogin = () => false
  const proof = await proofOf(app)
  await assert.rejects(register(app, proof), UNPROVEN)
  second.zkLogin = () => true
  await assert.rejects(register(app, proof), UNPROVEN)
  assert.equal(verifyCalls(app), 2, 'a used challenge costs the nodes nothing')
})

test('401: the signature of another address proves nothing', async () => {
  await using app = await openChainApp('sui')
  const [node = assert.fail()] = app.nodes
  node.zkLogin = () => true
  await assert.rejects(register(app, await proofOf(app, `0x${'5'.repeat(64)}`)), UNPROVEN)
})

test('401: nodes that check no signatures are named as the reason, and the challenge stays usable', async () => {
  await using app = await openChainApp('sui')
  const [node = assert.fail()] = app.nodes
  const proof = await proofOf(app)
  await assert.rejects(register(app, proof), { code: 'unauthorized', message: /zkLogin.*full node/ })
  node.zkLogin = () => true
  assert.equal((await register(app, proof)).data.status, 'active')
})

test('503: while no node answers, nothing is decided and the challenge stays usable', async () => {
  await using app = await openChainApp('sui')
  const [node = assert.fail()] = app.nodes
  node.zkLogin = () => true
  const proof = await proofOf(app)
  node.plan = ({ method }) => (method === 'VerifySignature' ? { kind: 'reset' } : undefined)
  await assert.rejects(register(app, proof), { code: 'rpc_unavailable', retryable: true })
  node.plan = () => undefined
  assert.equal((await register(app, proof)).data.status, 'active')
})
