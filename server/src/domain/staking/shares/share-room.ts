import { smaller } from '../../amount.ts'
import { type StakeLimits, shareOf } from '../stake-limits.ts'

type Amounts = ReadonlyMap<string, bigint>

/** Existing stake with rewards, and its principal alone. */
type Held = { readonly existing: Amounts; readonly principals: Amounts | undefined }

type Rooms = Pick<StakeLimits, 'maxShare' | 'principalShare'>

/** The largest amount that each validator may receive so that none exceeds `maxShare` of the stake afterwards. */
export function shareRoom(
  { maxShare = 1, principalShare }: Rooms,
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
