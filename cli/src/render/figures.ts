/** Figures as people read them. Programs get the JSON, where nothing is rounded. */

/** `107,514,444,697`: smallest units, grouped. */
export const amountText = (amount: string): string => amount.replaceAll(/\B(?=(\d{3})+$)/g, ',')

export const percentText = (percent: number | null): string =>
  percent === null ? '-' : `${percent.toFixed(2)} %`

export const shareText = (fraction: number | null): string =>
  fraction === null ? '-' : percentText(fraction * 100)

export const minuteText = (iso: string | null): string =>
  iso === null ? '-' : iso.slice(0, 16).replace('T', ' ')

export function durationText(ms: number): string {
  const minutes = Math.round(ms / 60_000)
  if (minutes < 60) return `${minutes} min`
  const hours = Math.floor(minutes / 60)
  return hours < 48 ? `${hours} h ${minutes % 60} min` : `${Math.floor(hours / 24)} d ${hours % 24} h`
}
