package hocket.gan.data;

import hocket.schedulers.Source;

/** A source of images that scores can be taken against. */
public interface ImageSource extends Source {
    /** All images that it draws from. */
    Images images();
}
