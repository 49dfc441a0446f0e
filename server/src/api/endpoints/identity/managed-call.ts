import type { Manager } from '#domain/agents/manager.ts'
import type { User } from '#ports/stores/users.ts'

type ManagedCall = {
  readonly caller: { readonly user: User }
  readonly client: string
  readonly via: Manager['via']
}

/** Who manages agents by this call, and from where. */
export const managerOf = ({ caller: { user }, client, via }: ManagedCall): Manager => ({
  user,
  client,
  via,
})

/** What comes with every new key. */
export const STORE_IT = 'Store this key securely: it is not shown again.'
