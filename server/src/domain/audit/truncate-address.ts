/**
 * The part of a client's address that may be stored: the first 24 bits of an IPv4 address, the first 48 of an IPv6
 * one.
 */
export function truncateAddress(address: string): string {
  if (address.includes(':')) return address.replace(/^([^:]+:[^:]+:[^:]+):.*$/, '$1::')
  const end = address.lastIndexOf('.')
  return end === -1 ? address : `${address.slice(0, end)}.0`
}
