import { useEffect } from 'preact/hooks'

/** Sets the title of the tab once the name of the shown item is known. */
export function usePageTitle(name: string): void {
  useEffect(() => {
    document.title = `${name} · Stakewright`
  }, [name])
}
