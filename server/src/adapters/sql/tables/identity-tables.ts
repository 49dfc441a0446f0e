import type { Generated } from 'kysely'

/** Agents, users, and how they prove who they are. */
export type IdentityTables = {
  agents: {
    no: Generated<number>
    id: string
    owner: string
    name: string
    type: string
    wallet_address: string | null
    identity_tier: string
    tier: string
    /** What is stored; `expired` follows from it and the clock. */
    status: string
    /** Both or neither: limits other than the tier's. */
    rpm: number | null
    rpd: number | null
    key_prefix: string
    created_at: number
    verify_by: number | null
    verified_at: number | null
    rotated_at: number | null
    revoked_at: number | null
    /** The newest revision of its policy; null: it has none. */
    policy_revision: number | null
    /** Binds together what decides about the agent. */
    mac: string | null
  }
  /** Of an agent: its primary key, the one before, and named keys, which have an id. */
  agent_keys: {
    digest: string
    agent_no: number
    /** Null: the present key. Otherwise it is refused from that moment on; 0 is every moment. */
    valid_until: number | null
    /** Of named keys only. */
    id: string | null
    name: string | null
    scopes: string | null
    networks: string | null
    created_at: number | null
    revoked_at: number | null
    /** The first characters, to recognise it by. */
    prefix: string | null
    /** Binds what decides about the key to its agent. */
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
  /** Mails queued to one address, by the moment: as many rows as the caps look back. */
  mail_counts: {
    key: string
    at: number
    mails: number
  }
  /** One row per limited key, all of the newest window of their limit. */
  registration_hits: {
    name: string
    key: string
    window_start: number
    hits: number
  }
  /** Mailed and not used yet; neither a code nor the address can be read from it. */
  mailed_codes: {
    long_digest: string
    address_digest: string
    /** Null where an earlier version has removed it. */
    code_digest: string | null
    /** The network that asked for it. */
    network_digest: string
    issued_at: number
    /** The short code is refused from this moment on. */
    code_expires_at: number
    /** The long code is refused from this moment on. */
    expires_at: number
    /** Tries at the short code from networks that neither asked for it nor are familiar. */
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
  /** What was done to agents and by whom, each row sealed with all rows before it. */
  agent_actions: {
    no: Generated<number>
    at: number
    actor_kind: string
    actor_id: string | null
    actor_role: string | null
    action: string
    agent_id: string
    /** Cut short. */
    address: string
    via: string
    /** JSON: which key, which session, or which limits. Null where there is nothing to add, and in rows of earlier versions. */
    details: string | null
    /** The MAC of the row before. */
    previous: string
    mac: string
  }
  /** Texts that wallets were asked to sign and have not yet. Without a signature none of it is of use. */
  wallet_challenges: {
    nonce: string
    address: string
    message: string
    expires_at: number
  }
  /** Requests that are to be done once, and what they were answered. */
  done_requests: {
    digest: string
    /** With the seal of the answer. */
    request_digest: string
    /** JSON, without the secret that the first answer had. */
    answer: string
    expires_at: number
  }
  /** Sign-ins, and what the operator has issued, whose tokens are good. */
  sessions: {
    id: string
    user_id: string
    /** Null: a sign-in. */
    issued_by: string | null
    /** Cut short. */
    address: string
    created_at: number
    expires_at: number
  }
  /** Authenticator apps of admins. */
  admin_factors: {
    user_id: string
    /** The id of the user and the secret, encrypted together: a row that was moved to another user is of no use. */
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
