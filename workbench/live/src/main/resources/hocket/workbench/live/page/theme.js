// Before anything is drawn: the theme that was chosen by hand, if one was. A plain script, so that the page never flashes.
(() => {
  const KEY = 'hocket-theme';
  const THEMES = ['system', 'light', 'dark'];
  const root = document.documentElement;

  function chosen() {
    try {
      const stored = localStorage.getItem(KEY);
      return THEMES.includes(stored) ? stored : 'system';
    } catch {
      return 'system'; // storage may be forbidden
    }
  }

  function apply(theme) {
    if (theme === 'system') {
      delete root.dataset.theme;
    } else {
      root.dataset.theme = theme;
    }
    window.dispatchEvent(new Event('themechange'));
  }

  window.hocketTheme = {
    chosen,
    next() {
      const theme = THEMES[(THEMES.indexOf(chosen()) + 1) % THEMES.length];
      try {
        localStorage.setItem(KEY, theme);
      } catch {
        // without storage it lasts as long as the page
      }
      apply(theme);
      return theme;
    },
  };
  apply(chosen());
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => apply(chosen()));
})();
