import { withBase } from 'vitepress';
import theme from 'vitepress/theme-without-fonts';
import { h, onMounted, ref } from 'vue';
import './style.css';
import './live.css';

/** A mock that runs in the page; without scripts the sentence stays. */
const LiveMock = {
  setup() {
    const place = ref();
    onMounted(async () => {
      const { startLive } = await import('../../live/live.ts');
      await startLive(place.value, withBase('/engine'));
    });
    return () =>
      h(
        'section',
        { ref: place, class: 'live', 'aria-label': 'Paddock, live in this page' },
        h(
          'p',
          'A Paddock that works in this page is loading: a document on the left, requests on the right.',
        ),
      );
  },
};

/** The default theme with the reader's system fonts, so that the site makes no external requests. */
export default {
  extends: theme,
  enhanceApp({ app }) {
    app.component('LiveMock', LiveMock);
  },
};
