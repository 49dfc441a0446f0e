import assert from 'node:assert/strict'
import { ADMIN } from '../../support/builder-agent.ts'
import { mailedCode, signIn } from '../../support/registered-agent.ts'
import { appCode } from '../../support/services/authenticator.ts'
import { ALL, openWithApprovals } from '../policy/with-approvals.ts'

export const ROOT = ADMIN.ADMIN_EMAILS
const STEP_MS = 30_000
const DAY_LIMIT = { rule: 'maxPerWindow', amount: '20000000000', window: 'day' } as const

/** A service with an agent of Ann that has a policy, and an admin. */
export async function openForChanges() {
  const opened = await openWithApprovals()
  const { app, agent, ann } = opened
  const admin = app.client({ token: await signIn(app, ROOT) })
  const { id } = agent
  const newAppSecret = async () => (await admin.enrolTotp()).data.secret
  const codeNow = (secret: string) => {
    app.clock.advance(STEP_MS)
    return appCode(secret, app.clock.now())
  }
  let factor: { readonly root: typeof admin; readonly recoveryCodes: readonly string[] } | undefined
  const enrol = async () => {
    const secret = await newAppSecret()
    const { recoveryCodes } = (await admin.confirmTotp({ code: codeNow(secret) })).data
    await app.client().requestCode({ email: ROOT })
    const code = await mailedCode(app, ROOT)
    const { data } = await app.client().exchangeCode({ email: ROOT, code, totp: codeNow(secret) })
    const root = app.client({ token: data.accessToken })
    factor = { root, recoveryCodes }
    return { root, code: () => codeNow(secret) }
  }
  const allowWindow = () => ann.writePolicy({ id, rules: [ALL, DAY_LIMIT], revision: 1 })
  const dispose = () => opened[Symbol.asyncDispose]()
  return {
    ...opened,
    id,
    admin,
    newAppSecret,
    codeNow,
    enrol,
    /** The admin that `enrol` has enrolled, and the recovery codes of that enrolment. */
    factor: () => factor ?? assert.fail('nobody is enrolled'),
    allowWindow,
    [Symbol.asyncDispose]: dispose,
  }
}

export type Given = Awaited<ReturnType<typeof openForChanges>>
