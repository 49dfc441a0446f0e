/** Figures as people read them. Programs get the JSON, where nothing is rounded. */

/** The unit of an amount, if the answer has it. */
export type Unit = { readonly symbol: string; readonly decimals: number }

/** `107,514,444,697` smallest units; with a unit the same is `107.514444697 IKA`. */
export function amountText(amount: string, unit?: Unit): string {
  if (amount.startsWith('-')) return `-${amountText(amount.slice(1), unit)}`
  if (!unit) return grouped(amount)
  const digits = amount.padStart(unit.decimals + 1, '0')
  const point = digits.length - unit.decimals
  const fraction = digits.slice(point).replace(/0+$/, '')
  return `${grouped(digits.slice(0, point))}${fraction === '' ? '' : `.${fraction}`} ${unit.symbol}`
}

const grouped = (digits: string): string => digits.replaceAll(/\B(?=(\d{3})+$)/g, ',')

export const percentText = (percent: number | null): string =>
  percent === null ? '-' : `${percent.toFixed(2)}%`

export const shareText = (fraction: number | null): string =>
  fraction === null ? '-' : percentText(fraction * 100)

export const minuteText = (iso: string | null): string =>
  iso === null ? '-' : iso.slice(0, 16).replace('T', ' ')

export const secondText = (iso: string): string => iso.slice(0, 19).replace('T', ' ')

export function durationText(ms: number): string {
  const minutes = Math.round(ms / 60_000)
  if (minutes < 60) return `${minutes} min`
  const hours = Math.floor(minutes / 60)
  return hours < 48 ? `${hours} h ${minutes % 60} min` : `${Math.floor(hours / 24)} d ${hours % 24} h`
}
