import type { Generated, Kysely } from 'kysely'

/** The tables as Kysely sees them. Amounts are text: a bigint of the chain does not fit every column type. */
export type Schema = {
  migrations: {
    name: string
  }
  snapshots: {
    network: string
    epoch: number
    checkpoint: number
    body: string
  }
  /** How far a chain was last seen, and with which content. */
  snapshot_marks: {
    network: string
    content_id: string
    checkpoint: number
    checkpoint_at: number
  }
  epoch_records: {
    network: string
    epoch: number
    validator_id: string
    ended_at: number
    tokens: string
    shares: string
    stake: string
    commission_bps: number
    /** 1, 0, or null where the network cannot tell. */
    performed: number | null
  }
  /** Exchange rates of a history that is still being read; null where the chain has none. */
  read_rates: {
    network: string
    table_id: string
    epoch: number
    tokens: string | null
    shares: string | null
  }
  /** What was projected in an epoch, to be held against what was paid. */
  forecast_sets: {
    network: string
    epoch: number
    engine_version: string
    made_at: number
    body: string
  }
  sandbox_states: {
    id: number
    version: number
    state: string
  }
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
  }
  /** What agents are held to: a row never changes, but for when it ends. */
  policies: {
    agent_no: number
    revision: number
    hash: string
    /** JSON, as it was written. */
    document: string
    changed_at: number
    changed_by: string
    changed_role: string
    /** How long it goes on holding once it is replaced. */
    loosen_ms: number
    /** Null: it is the newest. */
    holds_until: number | null
  }
  /** What was built for agents whose policy has windows. */
  reservations: {
    id: string
    intent_id: string
    agent_no: number
    at: number
    expires_at: number
    epoch: number
    sender: string | null
    /** JSON. */
    items: string
    /** 1: it counts no more. */
    is_free: number
    /** 1: the chain has shown it as carried out, so it is never given back. Null: not yet. */
    is_seen: number | null
  }
  /** Transactions that an owner must approve before they are built. */
  approvals: {
    id: string
    agent_no: number
    /** Numbers the approvals of an agent, from 1. */
    no: number
    wish_hash: string
    /** JSON. */
    wish: string
    /** JSON: which rule asked for it. */
    reason: string
    state: string
    created_at: number
    expires_at: number
    decided_at: number | null
    decided_by: string | null
    decided_role: string | null
    intent_id: string | null
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
  /** To the minute. */
  key_uses: {
    key_id: string
    last_used_at: number
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
    /** `queued`, `delivered` or `given_up`. */
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
  agent_activity: ActivityColumns & { agent_no: number }
  user_activity: ActivityColumns & { user_id: string }
  /** Requests of an agent on a UTC day: `tools` is JSON, a count for each endpoint. */
  agent_days: {
    agent_no: number
    day: number
    tools: string
    built: number
    built_aware: number
  }
  /** The audit log: each row is one commit's worth, and its hash seals all rows before it. */
  audit_batches: {
    seq: number
    day: number
    body: string
    hash: string
  }
  /** Signed statements that the log was so at a moment; each holds the hash of the one before. */
  audit_checkpoints: {
    no: number
    first_seq: number
    last_seq: number
    /** All its batches are of this UTC day. */
    day: number
    at: number
    /** The hash of its last batch. */
    root: string
    previous: string
    hash: string
    signature: string
  }
  /** Where the log ends, where it begins, how far it is signed; sealed against writers of the database. */
  audit_marks: {
    name: string
    no: number
    hash: string
    mac: string
  }
  /** Which batches speak of an agent, in a store that many instances share. */
  audit_agents: {
    agent_no: number
    seq: number
  }
  /** The same in the embedded store, up to the mark `indexed`: `seqs` is JSON, some batches in their order. */
  agent_batches: {
    agent_no: number
    last_seq: number
    seqs: string
  }
  /** Requests of an address, known by a keyed hash, in the present minute. */
  address_hits: {
    minute: number
    high: number
    low: number
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
    request_digest: string
    /** JSON, without the secret that the first answer had. */
    answer: string
    expires_at: number
  }
  /** Transactions that were built by requests with a name, as they were answered. */
  kept_builds: {
    digest: string
    agent_no: number
    intent_id: string
    request_digest: string
    /** JSON, packed. */
    answer: string
    expires_at: number
    /** 1 when what it had reserved was given back. */
    is_free: number
  }
  /** Sign-ins whose tokens are good. */
  sessions: {
    id: string
    user_id: string
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
  /** What must stay the same as long as the store lives. */
  seals: {
    name: string
    value: string
  }
}

type ActivityColumns = {
  minute_start: number
  minute_used: number
  day_start: number
  day_used: number
  last_used_at: number
  last_look_up_at: number
  last_policy_check_at: number
}

/** The open database, or a transaction in it. */
export type Database = Kysely<Schema>
