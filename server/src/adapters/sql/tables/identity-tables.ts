import type { Generated } from 'kysely'

/** Agents, users and their credentials. */
export type IdentityTables = {
  agents: {
    no: Generated<number>
    id: string
    owner: string
    /** The owner's mailbox, if the owner is another spelling of it: limits of an owner count by mailbox. */
    mailbox: string | null
    name: string
    type: string
    wallet_address: string | null
    identity_tier: string
    tier: string
    /** The stored state; `expired` is derived from the clock. */
    status: string
    /** Limits that replace the tier's; both set or both null. */
    rpm: number | null
    rpd: number | null
    key_prefix: string
    created_at: number
    verify_by: number | null
    verified_at: number | null
    rotated_at: number | null
    revoked_at: number | null
    /** The newest revision of its policy; null: no policy. */
    policy_revision: number | null
    /** MAC over the columns that decide about the agent. */
    mac: string | null
  }
  /** An agent's primary key, the previous one, and named keys, which have an id. */
  agent_keys: {
    digest: string
    agent_no: number
    /** Null: no end. Otherwise the key is refused from this moment on; 0: always. */
    valid_until: number | null
    /** Set for named keys only, down to `revoked_at`. */
    id: string | null
    name: string | null
    scopes: string | null
    networks: string | null
    created_at: number | null
    revoked_at: number | null
    /** The first characters, for display. */
    prefix: string | null
    /** MAC over the agent and the columns that decide about the key. */
    mac: string | null
  }
  verifications: {
    token_digest: string
    agent_no: number
    expires_at: number
    used_at: number | null
  }
  outbox: {
    id: Generated<number>
    /** The mail with its address, sealed; null once it is delivered or given up. */
    sealed: string | null
    created_at: number
    due_at: number
    leased_until: number | null
    attempts: number
    /** `queued`, `urgent`, `delivered` or `given_up`. */
    status: string
  }
  /** Mails queued under one key per moment, as far back as the caps reach. */
  mail_counts: {
    key: string
    at: number
    mails: number
  }
  /** One row per limited key, holding the newest window of its limit. */
  registration_hits: {
    name: string
    key: string
    window_start: number
    hits: number
  }
  /** Mailed and unused codes; only digests of code and address are stored. */
  mailed_codes: {
    long_digest: string
    address_digest: string
    code_digest: string
    /** The network that requested it. */
    network_digest: string
    issued_at: number
    /** The short code is refused from this moment on. */
    code_expires_at: number
    /** The long code is refused from this moment on. */
    expires_at: number
    /** Tries at the short code from networks that neither requested it nor are familiar. */
    tries_by_strangers: number
  }
  /** Tries at a short code, by network. */
  code_tries: {
    long_digest: string
    network_digest: string
    tries: number
  }
  /** Networks from which an address was proven: by a mailed code or link. */
  proven_networks: {
    address_digest: string
    network_digest: string
    proven_at: number
  }
  /** Management actions and their actors; each MAC covers all rows before. */
  agent_actions: {
    no: Generated<number>
    at: number
    actor_kind: string
    actor_id: string | null
    actor_role: string | null
    action: string
    agent_id: string
    /** Truncated. */
    address: string
    via: string
    /** JSON of `ActionDetails`. Null: no details. */
    details: string | null
    /** The MAC of the row before. */
    previous: string
    mac: string
  }
  /** Unused challenges for wallets to sign; useless without a signature. */
  wallet_challenges: {
    /** Its digest. */
    nonce: string
    address: string
    /** Sealed, with nonce, address and end. */
    message: string
    expires_at: number
  }
  /** Requests with an idempotency key, and their answers. */
  done_requests: {
    digest: string
    /** Digest of the request, with the answer's seal. */
    request_digest: string
    /** JSON, without the secret in the first answer. */
    answer: string
    expires_at: number
  }
  /** Sessions, of sign-ins and of tokens the operator issued, whose tokens are valid. */
  sessions: {
    id: string
    user_id: string
    /** Null: a sign-in. */
    issued_by: string | null
    /** Truncated. */
    address: string
    created_at: number
    expires_at: number
  }
  /** Authenticator apps of admins. */
  admin_factors: {
    user_id: string
    /** User id and secret, encrypted together: the row is useless for another user. */
    sealed: string
    created_at: number
    /** Null: not confirmed by a code yet. */
    confirmed_at: number | null
    /** The newest time step whose code was used. */
    last_step: number
  }
  recovery_codes: {
    digest: string
    user_id: string
  }
  /** Wrong tries at a second factor: with a mailed code or within a session, by network. */
  factor_tries: {
    subject: string
    network_digest: string
    tries: number
    expires_at: number
  }
}
