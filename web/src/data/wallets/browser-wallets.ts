import { createStore } from '../store.ts'
import type { Account, Signer } from './signer.ts'

/** Wallets that announce themselves by the Wallet Standard, as extensions of a browser do. */
export const browserWallets = createStore<readonly Signer[]>([])

type StandardAccount = { readonly address: string; readonly chains: readonly string[] }
type StandardWallet = {
  readonly name: string
  readonly features: {
    readonly 'standard:connect'?: {
      connect(): Promise<{ readonly accounts: readonly StandardAccount[] }>
    }
    readonly 'sui:signPersonalMessage'?: {
      signPersonalMessage(input: {
        readonly message: Uint8Array
        readonly account: StandardAccount
      }): Promise<{ readonly signature: string }>
    }
  }
}

let isListening = false

/** Asks wallets to announce themselves, and listens for wallets that come later. */
export function findWallets(): void {
  if (isListening) return
  isListening = true
  const api = { register }
  addEventListener('wallet-standard:register-wallet', (event) => toAnnouncement(event).detail(api))
  dispatchEvent(new CustomEvent('wallet-standard:app-ready', { detail: api }))
}

/** The cast holds by the Wallet Standard: the event's detail is a function that registers the wallet. */
const toAnnouncement = (event: Event) =>
  event as CustomEvent<(api: { readonly register: typeof register }) => void>

function register(...wallets: readonly StandardWallet[]): () => void {
  const signers = wallets.flatMap(toSigner)
  browserWallets.set([...browserWallets.get(), ...signers])
  return () => browserWallets.set(browserWallets.get().filter((one) => !signers.includes(one)))
}

function toSigner({ name, features }: StandardWallet): readonly Signer[] {
  const connecting = features['standard:connect']
  const signing = features['sui:signPersonalMessage']
  if (!connecting || !signing) return []
  const connect = async (): Promise<Account> => {
    const { accounts } = await connecting.connect()
    const account = accounts.find(({ chains }) => chains.some((chain) => chain.startsWith('sui:')))
    if (!account) throw new Error(`${name} has shown no Sui account.`)
    return {
      address: account.address,
      async sign(message) {
        const bytes = new TextEncoder().encode(message)
        return (await signing.signPersonalMessage({ message: bytes, account })).signature
      },
    }
  }
  return [{ name, connect }]
}
