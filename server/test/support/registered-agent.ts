import { codeOf, newestMail, tokenOf } from './services/mail-files.ts'
import type { TestApp } from './test-app.ts'

export type RegisteredAgent = { readonly id: string; readonly apiKey: string }

type Options = {
  readonly email?: string
  readonly agentName?: string
  /** False leaves it pending, with its mail in the outbox. */
  readonly isVerified?: boolean
}

/** An agent that has registered itself and is verified with the link of its mail. */
export async function registerAgent(app: TestApp, options: Options = {}): Promise<RegisteredAgent> {
  const { email = 'ann@example.com', agentName = 'yield-scout', isVerified = true } = options
  const { data } = await app.client().selfRegister({ email, agentName })
  if (isVerified) await app.client().verifyEmail({ token: await mailedToken(app, email) })
  return { id: data.id, apiKey: data.apiKey }
}

/** The token of the newest mail to the address. */
export async function mailedToken(app: TestApp, email: string): Promise<string> {
  return tokenOf(await deliveredMail(app, email))
}

/** The sign-in code of the newest mail to the address. */
export async function mailedCode(app: TestApp, email: string): Promise<string> {
  return codeOf(await deliveredMail(app, email))
}

/** A user's token, by mailed code. Addresses in ADMIN_EMAILS get an admin's. */
export async function signIn(app: TestApp, email: string): Promise<string> {
  await app.client().requestCode({ email })
  const code = await mailedCode(app, email)
  const { data } = await app.client().exchangeCode({ email, code })
  return data.accessToken
}

async function deliveredMail(app: TestApp, email: string) {
  await app.runJob('deliver-mail')
  return newestMail(app.folder, email)
}
