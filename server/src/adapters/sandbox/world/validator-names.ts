import type { Chance } from './chance.ts'

const FIRST =
  'Amber Cedar Cobalt Copper Coral Crimson Dusky Fern Flint Hazel Indigo Ivory Juniper Linen Maple Misty Mossy Ochre Pearl Quiet Russet Saffron Sandy Teal Umber Velvet Willow Windy'
const SECOND =
  'Ridge Meadow Harbor Hollow Brook Glade Orchard Terrace Lantern Anchor Thicket Shore Basin Heath Cove Dune Grove Landing Marsh Prairie'

/** `count` different names of two words each. */
export function validatorNames(chance: Chance, count: number): readonly string[] {
  const pairs = FIRST.split(' ').flatMap((first) => SECOND.split(' ').map((second) => `${first} ${second}`))
  const names: string[] = []
  while (names.length < count && pairs.length > 0) names.push(...pairs.splice(chance.below(pairs.length), 1))
  return names
}
