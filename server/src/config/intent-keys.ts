import { secretText, type Value } from './values.ts'

/** `SECRET@TIME`: from that time on, intents are signed with a key derived from the secret. */
export const timedSecret: Value<{ readonly secret: string; readonly validFrom: number }> = {
  expected: `SECRET@TIME, with a secret ${secretText.expected} and a time such as 2026-01-31T12:00:00Z`,
  read: (text) => {
    const [, secret = '', time = ''] = /^(.+)@(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{3})?Z)$/.exec(text) ?? []
    const validFrom = Date.parse(time)
    if (secretText.read(secret) === undefined || Number.isNaN(validFrom)) return undefined
    return { secret, validFrom }
  },
}
