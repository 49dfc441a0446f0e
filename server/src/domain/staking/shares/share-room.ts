import { smaller } from '../../amount.ts'
import { type StakeLimits, shareOf } from '../stake-limits.ts'

type Amounts = ReadonlyMap<string, bigint>

/** What is staked already: with its rewards, which earn like the rest, and the principal of it. */
type Held = { readonly existing: Amounts; readonly principals: Amounts | undefined }

/** How much of an amount each validator may get, so that none has too large a part of everything then. */
export function shareRoom(
  { maxShare = 1, principalShare }: Pick<StakeLimits, 'maxShare' | 'principalShare'>,
  amount: bigint,
  { existing, principals = existing }: Held,
): (validatorId: string) => bigint {
  const roomIn = (held: Amounts, share: number) => {
    let total = amount
    for (const staked of held.values()) total += staked
    const most = shareOf(total, share)
    return (id: string) => most - (held.get(id) ?? 0n)
  }
  const room = roomIn(existing, maxShare)
  if (principalShare === undefined) return room
  const ofPrincipal = roomIn(principals, principalShare)
  return (id) => smaller(room(id), ofPrincipal(id))
}
