import assert from 'node:assert/strict'
import { test } from 'node:test'
import { signIn } from '../../support/registered-agent.ts'
import { ABOVE_FIVE, ALL, ANN, approvalOf, openWithApprovals } from './with-approvals.ts'

const ROOT = 'root@example.com'

test('200: an owner sees that an admin did something, not which one; a key sees no user ids', async () => {
  await using opened = await openWithApprovals()
  const { app, ann, agent, key, stake } = opened
  const admin = app.client({ token: await signIn(app, ROOT) })
  const { id } = agent
  const { approvalId } = await approvalOf(stake())
  const decided = await admin.decideApproval({ id, approvalId, decision: 'approve' })
  const written = await admin.writePolicy({ id, rules: [ALL, ABOVE_FIVE, { rule: 'paused' }], revision: 1 })
  const toOwner = [
    await ann.readPolicy({ id }),
    await ann.policyRevisions({ id }),
    await ann.listApprovals({ id }),
    await ann.readApproval({ id, approvalId }),
  ]
  assert.equal(JSON.stringify(toOwner).includes(ROOT), false)
  const revisions = await ann.policyRevisions({ id })
  const [byAdmin, byOwner] = revisions.data.map(({ changedBy }) => changedBy)
  assert.deepEqual(byAdmin, { id: null, role: 'admin' })
  assert.equal(byOwner?.role, 'user')
  assert.match(byOwner?.id ?? '', new RegExp(ANN))
  const { data: approval } = await ann.readApproval({ id, approvalId })
  assert.deepEqual(approval.decidedBy, { id: null, role: 'admin' })
  // Admins see who it was.
  assert.match(decided.data.decidedBy?.id ?? '', new RegExp(ROOT))
  assert.match(written.data?.changedBy.id ?? '', new RegExp(ROOT))
  assert.deepEqual((await key.ownPolicy()).policy?.changedBy, { id: null, role: 'admin' })
  await ann.writePolicy({ id, rules: [ALL], revision: 2 })
  assert.deepEqual((await key.ownPolicy()).policy?.changedBy, { id: null, role: 'user' })
})
