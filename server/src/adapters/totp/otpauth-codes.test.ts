import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { appCode } from '../../../test/support/services/authenticator.ts'
import { findProgram } from '../../../test/support/services/debian-program.ts'
import { otpauthCodes } from './otpauth-codes.ts'

/** RFC 6238, appendix B: seconds and the last six of the eight digits for SHA-1. */
const RFC_VECTORS = [
  [59, '287082'],
  [1_111_111_109, '081804'],
  [1_111_111_111, '050471'],
  [1_234_567_890, '005924'],
  [2_000_000_000, '279037'],
  [20_000_000_000, '353130'],
] as const
const RFC_SECRET = otpauthCodes.toText(Buffer.from('12345678901234567890').toString('hex'))

test('the test vectors of RFC 6238 are accepted at their time step, and the tests’ own generator gives them', () => {
  assert.equal(RFC_SECRET, 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ')
  for (const [seconds, code] of RFC_VECTORS) {
    const step = Math.floor(seconds / 30)
    assert.equal(otpauthCodes.stepOf(RFC_SECRET, code, seconds * 1_000), step)
    assert.equal(appCode(RFC_SECRET, seconds * 1_000), code)
  }
})

test('a code is accepted in its step, one step before it and one after it', () => {
  const now = 1_234_567_890_000
  const code = appCode(RFC_SECRET, now)
  const step = otpauthCodes.stepAt(now)
  const begins = step * 30_000
  for (const [at, found] of [
    [begins - 30_001, undefined],
    [begins - 30_000, step],
    [begins, step],
    [begins + 59_999, step],
    [begins + 60_000, undefined],
  ] as const) {
    assert.equal(otpauthCodes.stepOf(RFC_SECRET, code, at), found, String(at - begins))
  }
})

test('a text that is not six ASCII digits is refused', () => {
  for (const code of ['', '28708', '94287082', '287082 ', '２８７０８２', 'abcdef']) {
    assert.equal(otpauthCodes.stepOf(RFC_SECRET, code, 59_000), undefined, code)
  }
})

test('codes of oathtool for the same secrets are accepted', async () => {
  const look = { versionFlag: '--version', folders: ['usr/bin'], isDeep: false }
  const { command, env } = await findProgram(['oathtool'], ['oathtool'], look)
  for (const [index, now] of [1_700_000_000, 1_800_000_015, 1_900_000_029].entries()) {
    const secret = otpauthCodes.toText(String(index + 1).repeat(40))
    const args = ['--totp', '--base32', `--now=@${now}`, secret]
    const { stdout } = await promisify(execFile)(command, args, { env: { ...env, TZ: 'UTC' } })
    assert.equal(otpauthCodes.stepOf(secret, stdout.trim(), now * 1_000), Math.floor(now / 30))
  }
})

test('the address for QR codes names the service, the account and the secret', () => {
  const uri = new URL(otpauthCodes.toUri(RFC_SECRET, 'root+a@example.com'))
  assert.equal(uri.protocol, 'otpauth:')
  assert.equal(uri.host, 'totp')
  assert.equal(decodeURIComponent(uri.pathname), '/Stakewright:root+a@example.com')
  assert.deepEqual(Object.fromEntries(uri.searchParams), {
    issuer: 'Stakewright',
    secret: RFC_SECRET,
    algorithm: 'SHA1',
    digits: '6',
    period: '30',
  })
})
