import { type EndpointName, type Reply, ROUTES } from '@stakewright/contract'
import { inWords, REST_WORDS } from '@stakewright/contract/words'
import { badCursor } from '#domain/agents/list-agents.ts'
import type { LogEntry, LogPosition } from '#domain/agents/read-agent-log.ts'
import type { BuildNote, BuildRefusal } from '#ports/stores/admission.ts'
import type { ActionName, AgentAction } from '#ports/stores/agent-actions.ts'
import type { LoggedRequest } from '#ports/stores/request-log.ts'
import { toIso } from '../../../basics/iso-time.ts'
import { toIsoOrNull } from '../shapes.ts'

/** Converts entries of the audit log to those of the API. */

type AuditEntry = Reply<'listActions'>['data'][number]

/** The endpoint that performs each action. */
const ENDPOINT_OF = {
  register: 'registerAgent',
  'self-register': 'selfRegister',
  activate: 'verifyEmail',
  'create-sandbox-key': 'sandboxKey',
  replace: 'registerAgent',
  rotate: 'rotateKey',
  revoke: 'revokeAgent',
  suspend: 'updateAgent',
  resume: 'updateAgent',
  'set-limits': 'updateAgent',
  'revoke-self': 'revokeSelf',
  'report-leak': 'reportLeak',
  'create-key': 'createKey',
  'revoke-key': 'revokeKey',
  'set-policy': 'writePolicy',
  'approve-transaction': 'decideApproval',
  'refuse-transaction': 'decideApproval',
  'release-reservation': 'cancelReservation',
  'sign-in': 'exchangeCode',
  'issue-token': 'exchangeCode',
  'end-session': 'endSession',
  'begin-totp': 'enrolTotp',
  'enrol-totp': 'confirmTotp',
  'remove-totp': 'removeTotp',
  'reset-totp': 'removeTotp',
  'renew-recovery-codes': 'renewRecoveryCodes',
  'use-recovery-code': 'exchangeCode',
  'refuse-totp': 'exchangeCode',
} as const satisfies Record<ActionName, EndpointName>

const STATUS_OF: Partial<Record<ActionName, number>> = {
  register: 201,
  'self-register': 201,
  'create-sandbox-key': 201,
  replace: 201,
  'report-leak': 202,
  'create-key': 201,
  'refuse-totp': 401,
}

/** `viewer` is the id of a user, who sees no ids of other users; undefined: an admin, who sees all. */
export function toEntry(entry: LogEntry, agentId: string, viewer: string | undefined): AuditEntry {
  return entry.kind === 'request'
    ? toRequestEntry(entry.request, agentId)
    : toActionEntry(entry.action, viewer)
}

const MCP = 'mcp:'

function toRequestEntry(request: LoggedRequest, agentId: string): AuditEntry {
  const { at, endpoint, status, latencyMicros, truncatedAddress, keyId = null, build } = request
  const isMcp = `${endpoint}:`.startsWith(MCP)
  const route = Object.entries(ROUTES).find(([name]) => name === endpoint.replace(MCP, ''))?.[1]
  return {
    at: toIso(at),
    endpoint: route && !isMcp ? `${route.method} ${route.path}` : endpoint,
    method: isMcp ? 'POST' : (route?.method ?? null),
    status: status ?? null,
    latencyMs: latencyMicros === undefined ? null : latencyMicros / 1000,
    ip: truncatedAddress,
    actor: { kind: 'agent', id: agentId, role: null, session: null, key: keyId },
    action: null,
    target: null,
    key: null,
    session: null,
    limits: null,
    policy: null,
    build: build ? toBuild(build) : null,
    approvalId: build?.approvalId ?? null,
    via: isMcp ? 'mcp' : 'rest',
  }
}

export function toActionEntry(done: AgentAction, viewer: string | undefined): AuditEntry {
  const { at, action, actor, agentId, truncatedAddress, details, via } = done
  const name = ENDPOINT_OF[action]
  const { method, path } = ROUTES[name]
  const isVisible = viewer === undefined || actor.kind === 'agent' || actor.id === viewer
  return {
    at: toIso(at),
    endpoint: { cli: 'stakewright', mcp: `${MCP}${name}`, rest: `${method} ${path}` }[via],
    method: { cli: null, mcp: 'POST', rest: method }[via],
    status: via === 'cli' ? null : (STATUS_OF[action] ?? 200),
    latencyMs: null,
    ip: truncatedAddress,
    actor: {
      kind: actor.kind,
      id: (isVisible ? actor.id : undefined) ?? null,
      role: actor.role ?? null,
      session: (isVisible ? actor.session : undefined) ?? null,
      key: (actor.kind === 'agent' && details.key?.id) || null,
    },
    action,
    target: agentId,
    key: details.key ? toKey(details.key) : null,
    session: details.session ?? null,
    limits: details.limits ?? null,
    policy: details.policy
      ? { revision: details.policy.revision, change: details.policy.change ?? null }
      : null,
    build: null,
    approvalId: details.approval ?? null,
    via,
  }
}

function toBuild({ amount, refusal }: BuildNote): NonNullable<AuditEntry['build']> {
  return {
    amount: amount === undefined ? null : String(amount),
    refusal: refusal ? { ...refusal, message: messageOf(refusal) } : null,
  }
}

/** The message that the caller got, in the words of the API, as far as the log has it. */
const messageOf = ({ message, broken }: BuildRefusal): string =>
  message === undefined
    ? `The policy of the agent does not allow it: it breaks ${[...new Set(broken.map(({ rule }) => rule))].join(', ')}.`
    : inWords(message, REST_WORDS)

function toKey({ id, prefix, terms }: NonNullable<AgentAction['details']['key']>) {
  if (!terms) return { id, prefix, terms: null }
  const { scopes, networks: allowedNetworks, expiresAt } = terms
  return { id, prefix, terms: { scopes, allowedNetworks, expiresAt: toIsoOrNull(expiresAt ?? undefined) } }
}

/** The end of a page in both logs, as two numbers; 0: nothing of that log was read yet. */
export const toCursor = ({ ticket = 0, action = 0 }: LogPosition): string => `${ticket}.${action}`

export function readPosition(cursor: string | undefined): LogPosition {
  if (cursor === undefined) return { ticket: undefined, action: undefined }
  const [, ticket, action] = /^(\d{1,16})\.(\d{1,16})$/.exec(cursor) ?? []
  if (ticket === undefined || action === undefined) throw badCursor()
  return { ticket: Number(ticket) || undefined, action: Number(action) || undefined }
}

export function readActionNumber(cursor: string | undefined): number | undefined {
  if (cursor !== undefined && !/^\d{1,16}$/.test(cursor)) throw badCursor()
  return cursor === undefined ? undefined : Number(cursor)
}
