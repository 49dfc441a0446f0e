import { useEffect, useState } from 'preact/hooks'
import { describeError } from '../../data/errors/describe-error.ts'
import { useNetwork } from '../../data/queries.ts'
import { useStore } from '../../data/store.ts'
import { browserWallets, findWallets } from '../../data/wallets/browser-wallets.ts'
import { hasWebCrypto, playSigner } from '../../data/wallets/play-signer.ts'
import { signInBySignature } from '../../data/wallets/sign-in.ts'
import type { Signer } from '../../data/wallets/signer.ts'
import { html, type View } from '../html.ts'

/** Sign-in with a wallet, which owns the agents that are registered with its address. */
export function WalletSignIn(): View {
  const found = useStore(browserWallets)
  const isSandbox = useNetwork().data?.network === 'sandbox'
  const [busy, setBusy] = useState<Signer | undefined>(undefined)
  const [problem, setProblem] = useState<string | undefined>(undefined)
  useEffect(findWallets, [])
  const signers = isSandbox && hasWebCrypto() ? [...found, playSigner] : found
  const signIn = async (signer: Signer) => {
    setBusy(signer)
    setProblem(undefined)
    await signInBySignature(signer).catch((error: unknown) => setProblem(describeError(error)))
    setBusy(undefined)
  }
  return html`<section class="card stack" aria-labelledby="wallet-sign-in">
    <h2 id="wallet-sign-in">Or by wallet</h2>
    <p class="soft">You sign a text that names this service: it moves nothing and costs nothing. Agents registered with the address of the wallet are yours.</p>
    ${signers.length === 0 && html`<p class="small soft">No Sui wallet has announced itself in this browser. Install one, or use your mail address.</p>`}
    <div class="row">${signers.map((signer) => html`<button type="button" class="button" aria-disabled=${busy !== undefined} onClick=${() => signIn(signer)}>${busy === signer ? 'Waiting for the signature …' : `Sign with ${signer.name}`}</button>`)}</div>
    ${isSandbox && hasWebCrypto() && html`<p class="small soft">The play wallet is a key made in this tab, for this simulated network only.</p>`}
    ${problem !== undefined && html`<p class="bad" role="alert">${problem}</p>`}
  </section>`
}
