import { Secret, TOTP } from 'otpauth'
import type { OneTimeCodes } from '#ports/factors/one-time-codes.ts'

const STEP_MS = 30_000
/** The parameters that all authenticator apps support; many support no others. */
const FORM = { issuer: 'Stakewright', algorithm: 'SHA1', digits: 6, period: STEP_MS / 1_000 }
/** Tolerance for clock differences and slow typing. */
const DRIFT_STEPS = 1

export const otpauthCodes: OneTimeCodes = {
  toText: (hex) => Secret.fromHex(hex).base32,
  toUri: (secret, label) => new TOTP({ ...FORM, label, secret: Secret.fromBase32(secret) }).toString(),
  stepOf(secret, code, now) {
    // The library throws for a code of multi-byte characters.
    if (!/^[0-9]{6}$/.test(code)) return undefined
    const totp = new TOTP({ ...FORM, secret: Secret.fromBase32(secret) })
    const distance = totp.validate({ token: code, timestamp: now, window: DRIFT_STEPS })
    return distance === null ? undefined : otpauthCodes.stepAt(now) + distance
  },
  stepAt: (now) => Math.floor(now / STEP_MS),
}
