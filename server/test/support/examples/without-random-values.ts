import { PLACEHOLDERS } from '@stakewright/contract/examples'

const { agentId, apiKey, approvalId, intentId, keyId, recoveryCode, reservationId, sessionId, token } =
  PLACEHOLDERS

/** Random values and addresses of this machine, by their form, with their replacements. */
const BY_FORM: readonly (readonly [RegExp, string])[] = [
  [/\bagt_[0-9A-Za-z]{22}\b/g, agentId],
  [/\bkey_[0-9A-Za-z]{22}\b/g, keyId],
  [/\bses_[0-9A-Za-z]{22}\b/g, sessionId],
  [/\bapr_[0-9A-Za-z]{22}\b/g, approvalId],
  [/\brsv_[0-9A-Za-z]{22}\b/g, reservationId],
  [/\bstk_[0-9A-Za-z]{46}\b/g, apiKey],
  [/\bstk_[0-9A-Za-z]{8}\b/g, apiKey.slice(0, 12)],
  [/Nonce: [0-9a-f]{64}\b/g, `Nonce: ${token}`],
  [/\bsecret=[A-Z2-7]{32}\b/g, `secret=${'A'.repeat(32)}`],
  [/127\.0\.0\.1:\d+/g, '127.0.0.1:3000'],
]

/** Replacements by the name of the field. */
const BY_NAME: Readonly<Record<string, unknown>> = {
  accessToken: 'header.payload.signature',
  secret: 'A'.repeat(32),
  recoveryCodes: [recoveryCode],
  intentId,
  intentSignature: { keyId: 'A'.repeat(43), value: 'A'.repeat(86) },
  kid: 'A'.repeat(43),
  x: 'A'.repeat(43),
  latencyMs: 4.2,
  batches: 4,
  store: { kind: 'sqlite', isWritable: true },
  counters: 'memory',
  storeRisks: [],
}

/** The answer with fixed values in place of those that differ between starts of the service. */
export function withoutRandomValues(answer: unknown): unknown {
  const text = BY_FORM.reduce((given, [form, fixed]) => given.replaceAll(form, fixed), JSON.stringify(answer))
  return JSON.parse(text, (name, value) => {
    if (name === 'nonce') return token.slice(0, value.length)
    return value === null ? null : (BY_NAME[name] ?? value)
  })
}
