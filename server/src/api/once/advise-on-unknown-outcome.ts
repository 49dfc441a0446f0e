import { ENDPOINTS, type EndpointName, type EndpointSpec, isSafeToRepeat } from '@stakewright/contract'
import { call, Fault, term } from '../../fault.ts'

type FailedCall = {
  /** Undefined: a page, or a message of MCP. */
  readonly endpoint: EndpointName | undefined
  readonly method: string
  readonly idempotencyKey: string | undefined
}

/**
 * Adds advice to a fault of unknown outcome: repeat the call if that is safe, otherwise find out first whether it was
 * done.
 */
export function adviseOnUnknownOutcome(
  error: unknown,
  { endpoint, method, idempotencyKey }: FailedCall,
): unknown {
  // A fault with a `fix` has its advice already: the API adds it for endpoints before the transport sees the fault.
  if (!(error instanceof Fault) || error.outcome === undefined || error.fix !== undefined) return error
  const { code, message, cause, retryAfterSeconds } = error
  const known = { cause, retryAfterSeconds }
  const hasKey = idempotencyKey !== undefined
  if (endpoint ? isSafeToRepeat(endpoint, hasKey) : method === 'GET')
    return new Fault(code, `${message} Try again in a moment.`, known)
  const { fix, next } = adviceFor(endpoint, hasKey)
  return new Fault(code, `${message} It is not known whether it was done. ${fix}`, {
    ...known,
    fix,
    ...(next && { next: { endpoint: next } }),
    outcome: 'unknown',
  })
}

/** What to do, and the call that shows whether the failed one was done, if there is such a call. */
type Advice = { readonly fix: string; readonly next?: EndpointName }

const FIND_OUT: Advice = { fix: 'Find out whether it was done before you send it again.' }

function adviceFor(endpoint: EndpointName | undefined, hasKey: boolean): Advice {
  if (endpoint === undefined) return FIND_OUT
  const { isRepeatable }: EndpointSpec = ENDPOINTS[endpoint]
  if (hasKey && isRepeatable)
    return {
      fix: `Send it again with the same \`${term('idempotencyKey')}\`: it is done once, and the answer says whether it is a repeat.`,
    }
  return HOW_TO_FIND_OUT[endpoint] ?? FIND_OUT
}

const shownBy = (name: EndpointName, how = 'shows whether it was'): Advice => ({
  fix: `${call(name)} ${how}. Send it again only if it was not.`,
  next: name,
})

const LOOK_FOR_MAIL: Advice = {
  fix: 'If the mail arrives, it was. Ask for another one only if it does not.',
}
const BUILD: Advice = {
  fix: `Nothing was signed, so nothing moves, but it may count against the policy: ${call('ownPolicy')} shows the rules, and ${call('listReservations')} shows the owner what counts. Send it again, with an \`${term('idempotencyKey')}\`.`,
  next: 'ownPolicy',
}

/** How the caller finds out whether a call was done, or why it may be sent again. */
const HOW_TO_FIND_OUT: { readonly [Name in EndpointName]?: Advice } = {
  buildStake: BUILD,
  buildUnstake: BUILD,
  buildWithdraw: BUILD,
  buildJoin: BUILD,
  buildBatch: BUILD,
  sandboxKey: { fix: 'Ask for another key: one that nobody uses costs nothing.' },
  sandboxExecute: {
    fix: `Send it again if it has the \`intent\` of its build: it is done once. Without one, ${call('positions')} shows whether it was.`,
    next: 'positions',
  },
  sandboxAdvance: shownBy('epoch'),
  selfRegister: {
    fix: 'If the mail with the link arrives, it was. With a wallet, send it again: if the challenge is refused, it was; then sign in with the wallet, and rotate the key.',
  },
  walletChallenge: { fix: 'Ask for another challenge: one that nobody signs expires.' },
  resendVerification: LOOK_FOR_MAIL,
  requestCode: LOOK_FOR_MAIL,
  exchangeCode: { fix: 'Send it again. If the code or challenge is refused, it was: ask for a new one.' },
  endSession: shownBy('listSessions'),
  enrolTotp: { fix: 'Begin again: only the newest secret can be confirmed.' },
  confirmTotp: shownBy('totpState'),
  renewRecoveryCodes: {
    fix: 'Send it again with a new code of the authenticator app: only the newest recovery codes are valid.',
  },
  removeTotp: shownBy('totpState'),
  registerAgent: shownBy('listAgents'),
  updateAgent: shownBy('readAgent'),
  rotateKey: shownBy('readAgent', 'shows by `keyPrefix` whether it was'),
  createKey: shownBy('listKeys'),
  writePolicy: shownBy('readPolicy'),
  revokeSelf: shownBy('usage', 'is refused if it was'),
}
