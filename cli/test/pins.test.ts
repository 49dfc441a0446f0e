import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import { generateKeyPairSync } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { checkSignedTable, PINS } from '@stakewright/verify'
import { tempFolder } from '../../server/test/support/temp-folder.ts'
import { openTestApp } from '../../server/test/support/test-app.ts'
import { type } from './typed-line.ts'

const SENDER = `0x${'11'.repeat(32)}`
const { sandbox } = PINS.networks
assert(sandbox)
const NEWER = { version: PINS.version + 1, networks: { sandbox } }

function newKey() {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519')
  const pem = privateKey.export({ format: 'pem', type: 'pkcs8' })
  return { pem, publicKey: String(publicKey.export({ format: 'jwk' }).x) }
}

/** Keys in base64url may begin with a dash, or two. */
function newKeyBeginning(text: string) {
  for (;;) {
    const key = newKey()
    if (key.publicKey.startsWith(text)) return key
  }
}

async function openSigner({ pem, publicKey } = newKey()) {
  await using opened = new AsyncDisposableStack()
  const folder = opened.use(await tempFolder())
  const file = async (name: string, content: string | object) => {
    const path = join(folder.path, name)
    await writeFile(path, typeof content === 'string' ? content : JSON.stringify(content))
    return path
  }
  const key = await file('signer.pem', String(pem))
  const sign = async (table: object) =>
    type(`pins sign --pins @${await file('table.json', table)} --key ${key}`)
  const resources = opened.move()
  return { publicKey, file, key, sign, [Symbol.asyncDispose]: () => resources.disposeAsync() }
}

test('0 and 4: a table from a file is used only if it has the signature of the given key, or the given digest', async () => {
  await using app = await openTestApp()
  await using signer = await openSigner()
  const { publicKey, file, sign } = signer
  const { data } = await app.client().sandboxKey({ agentName: 'cli' })
  const env = { STAKEWRIGHT_URL: app.url, STAKEWRIGHT_API_KEY: data.apiKey }
  const [{ id } = { id: '' }] = (await app.client().validators()).data
  const built = await type(`tx stake ${id} 5000000000 --sender ${SENDER}`, { env })
  const wished = { network: 'sandbox', sender: SENDER, action: 'stake', validator: id, amount: '5000000000' }
  const verify = async (table: object, more: string) => {
    const path = await file('given.json', table)
    const wish = await file('wish.json', wished)
    return type(`verify --input - --wish @${wish} --pins @${path} ${more}`, { input: built.stdout })
  }
  const signed = await sign(NEWER)
  assert.equal(signed.code, 0, signed.stdout)
  const table = signed.json().data
  const byKey = `--pins-key ${publicKey}`

  const right = await verify(table, byKey)
  assert.equal(right.code, 0, right.stdout)
  assert.equal(right.json().data.tableVersion, NEWER.version)
  assert.equal((await verify(signed.json(), byKey)).code, 0, 'the output of pins sign as it is')
  assert.equal((await verify(table, `--pins-digest ${table.digest}`)).code, 0)

  const other = { sandbox: { ...sandbox, packages: [`0x${'66'.repeat(32)}`] } }
  const forged = (await sign({ ...NEWER, networks: other })).json().data
  const { signature: _, ...bare } = table
  const refused: readonly (readonly [object, string])[] = [
    [table, ''],
    [bare, ''],
    [bare, byKey],
    [table, `--pins-key ${newKey().publicKey}`],
    [{ ...table, networks: other }, byKey],
    [{ ...forged, signature: table.signature }, byKey],
    [{ ...table, version: NEWER.version + 1 }, byKey],
    [table, '--pins-digest other'],
    [(await sign({ ...NEWER, version: PINS.version - 1 })).json().data, byKey],
  ]
  for (const [given, more] of refused) {
    const answer = await verify(given, more)
    assert.deepEqual([answer.code, answer.json().error.code], [4, 'unsigned_table'], answer.stdout)
    assert.match(answer.json().error.message, /^Unsigned table/)
  }
  assert.equal((await type(`verify --input - ${byKey}`, { input: built.stdout })).code, 2)
})

test('a key may begin with a dash, and an option after --pins-key is never taken for a key', async () => {
  for (const dashes of ['-', '--']) {
    await using signer = await openSigner(newKeyBeginning(dashes))
    const { publicKey, file, sign } = signer
    const table = await file('signed.json', (await sign(NEWER)).json().data)
    const verify = (key: string) =>
      type(`verify --input {"transaction":"","wish":{}} --pins @${table} ${key}`)
    for (const given of [`--pins-key ${publicKey}`, `--pins-key=${publicKey}`])
      assert.match((await verify(given)).json().error.message, /^The wish cannot be used/, given)
    assert.equal((await verify(`--pins-key -${publicKey}`)).json().error.code, 'unsigned_table')
    for (const missing of ['--pins-key --json', '--pins-key --wish={}'])
      assert.match(
        (await verify(missing)).json().error.message,
        /'--pins-key' argument is ambiguous/,
        missing,
      )
  }
})

const hasOpenssl = spawnSync('openssl', ['version']).status === 0

test('OpenSSL signs a table with the same result', {
  skip: !hasOpenssl && 'there is no OpenSSL here',
}, async () => {
  await using signer = await openSigner()
  const { publicKey, file, key, sign } = signer
  const { digest, signature } = (await sign(NEWER)).json().data
  const text = await file('text', `stakewright pins ${digest}`)
  const args = ['pkeyutl', '-sign', '-inkey', key, '-rawin', '-in', text]
  const made = execFileSync('openssl', args).toString('base64url')
  assert.equal(made, signature)
  await checkSignedTable({ ...NEWER, digest, signature: made }, publicKey)
})

test('2: a malformed table, and a key that is not Ed25519, are refused', async () => {
  await using signer = await openSigner()
  const { file, key } = signer
  const table = await file('table.json', NEWER)
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const others = [
    await file('ec.pem', String(privateKey.export({ format: 'pem', type: 'pkcs8' }))),
    await file('none.pem', 'no key'),
    '/none',
  ]
  for (const other of others)
    assert.equal((await type(`pins sign --pins @${table} --key ${other}`)).code, 2, other)
  assert.equal((await type(`pins sign --pins {} --key ${key}`)).code, 2)
  assert.equal((await type('pins sign')).code, 2)
})
