import assert from 'node:assert/strict'
import type { Client, Reply } from '@stakewright/client'
import { signIn } from '../../support/registered-agent.ts'
import { ANN } from '../policy/with-approvals.ts'
import { type Given, ROOT } from './before-changes.ts'
import { KEY_TERMS } from './changes.ts'

export type Entry = Reply<'listActions'>['data'][number]
type Action = NonNullable<Entry['action']>
type Recorded = {
  readonly given: Given
  readonly auditor: Client
  readonly entry: Entry
  readonly target: string
}

async function agentOf({ auditor, target }: Recorded) {
  const { data } = await auditor.listAgents({ all: true, limit: 100 })
  return data.find(({ id }) => id === target) ?? assert.fail(`${target} is not listed`)
}

const statusIs = (status: string) => async (recorded: Recorded) =>
  assert.equal((await agentOf(recorded)).status, status, 'the status of the agent')

/** The action names the primary key that the agent has now. */
async function namesPresentKey(recorded: Recorded): Promise<void> {
  const { keyPrefix } = await agentOf(recorded)
  assert.deepEqual(recorded.entry.key, { id: null, prefix: keyPrefix, terms: null })
}

const namedKeyIs =
  (status: string) =>
  async ({ auditor, entry, target }: Recorded) => {
    const { data } = await auditor.listKeys({ id: target })
    const key = data.find(({ id }) => id === entry.key?.id) ?? assert.fail('the key is not listed')
    assert.deepEqual([entry.key?.prefix, key.status], [key.keyPrefix, status])
  }

const sessionIsOpen =
  (isOpen: boolean) =>
  async ({ given: { app }, entry }: Recorded) => {
    const { data } = await app.client({ token: await signIn(app, ANN) }).listSessions()
    assert(entry.session !== null)
    assert.equal(
      data.some(({ id }) => id === entry.session),
      isOpen,
      'whether the session is open',
    )
  }

const approvalIs =
  (state: string) =>
  async ({ given }: Recorded) =>
    assert.deepEqual(await given.states(), [state])

/** Compares the state after each action with it: an action that differs from what was done fails here. */
export const READ_BACK: { readonly [Name in Action]?: (recorded: Recorded) => Promise<void> } = {
  register: namesPresentKey,
  'self-register': async (recorded) => {
    await namesPresentKey(recorded)
    await statusIs('pending_verification')(recorded)
  },
  'create-sandbox-key': namesPresentKey,
  activate: statusIs('active'),
  rotate: namesPresentKey,
  revoke: statusIs('revoked'),
  suspend: statusIs('suspended'),
  resume: statusIs('active'),
  'set-limits': async (recorded) =>
    assert.deepEqual(recorded.entry.limits?.after, (await agentOf(recorded)).rateLimits),
  'report-leak': async (recorded) => {
    await namesPresentKey(recorded)
    await statusIs('revoked')(recorded)
  },
  'create-key': async (recorded) => {
    await namedKeyIs('active')(recorded)
    assert.deepEqual(recorded.entry.key?.terms, KEY_TERMS)
  },
  'revoke-key': namedKeyIs('revoked'),
  'set-policy': async ({ auditor, target }) =>
    assert.equal((await auditor.readPolicy({ id: target })).data?.revision, 2),
  'approve-transaction': approvalIs('approved'),
  'refuse-transaction': approvalIs('refused'),
  'release-reservation': async ({ auditor, target }) =>
    assert.deepEqual((await auditor.listReservations({ id: target })).data, []),
  'sign-in': sessionIsOpen(true),
  'end-session': sessionIsOpen(false),
  'begin-totp': async ({ given: { admin } }) =>
    assert.equal((await admin.totpState()).data.isEnrolled, false),
  'enrol-totp': async ({ given: { app } }) => {
    await assert.rejects(signIn(app, ROOT), {
      code: 'unauthorized',
      details: [{ field: 'totp', message: 'is required' }],
    })
  },
  'remove-totp': async ({ given: { app } }) => {
    await signIn(app, ROOT)
  },
  'renew-recovery-codes': async ({ given }) => {
    const { root, recoveryCodes } = given.factor()
    await assert.rejects(root.removeTotp({ code: recoveryCodes[0] ?? '' }), { code: 'forbidden' })
    assert.equal((await root.totpState()).data.recoveryCodesLeft, recoveryCodes.length)
  },
}
