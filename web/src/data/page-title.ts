import { useEffect } from 'preact/hooks'

/** Names what a page shows in the tab, once it is known: tabs of one kind are told apart. */
export function usePageTitle(name: string): void {
  useEffect(() => {
    document.title = `${name} · Stakewright`
  }, [name])
}
