/** The form in which an address is stored, compared and used for delivery. */
export function toOwner(address: string): string {
  return address.toLowerCase()
}
