/** Every exit code of the command line, for programs that call it. */
export const EXIT = {
  ok: { code: 0, meaning: 'done' },
  unexpected: { code: 1, meaning: 'something unexpected failed, or a check found a problem' },
  usage: { code: 2, meaning: 'the command line, the input or the configuration is wrong' },
  auth: { code: 3, meaning: 'a key or token is missing, wrong or not usable' },
  refused: {
    code: 4,
    meaning: 'refused: the tier, role or mandate does not allow it, or a transaction is not what was wished',
  },
  notFound: { code: 5, meaning: 'there is no such thing' },
  conflict: {
    code: 6,
    meaning: 'in conflict with the present state: data too old, the store or the profile in use',
  },
  limited: { code: 7, meaning: 'a limit is used up; the error says when to try again' },
  unreachable: { code: 8, meaning: 'no usable answer from the service; try again later' },
  aborted: { code: 9, meaning: 'the contract refused the transaction; nothing changed' },
  waiting: { code: 10, meaning: 'the owner must approve first; repeat with --approval-id after that' },
} as const

type Exit = keyof typeof EXIT

/** By error code of the API; all other codes exit as unexpected. */
const BY_ERROR: Readonly<Record<string, Exit>> = {
  check_failed: 'unexpected',
  not_saved: 'unexpected',
  profiles_unusable: 'usage',
  usage: 'usage',
  invalid_input: 'usage',
  unauthorized: 'auth',
  forbidden: 'refused',
  not_as_wished: 'refused',
  unsigned_table: 'refused',
  not_found: 'notFound',
  rpc_unavailable: 'conflict',
  store_in_use: 'conflict',
  profile_in_use: 'conflict',
  rate_limited: 'limited',
  service_overloaded: 'limited',
  store_not_ready: 'unreachable',
  timeout: 'unreachable',
  unreachable: 'unreachable',
  aborted: 'aborted',
  approval_needed: 'waiting',
}

export const exitOf = (errorCode: string): Exit => BY_ERROR[errorCode] ?? 'unexpected'
